import { openProject } from '../../app/project.ts';
import { type Command, isSet, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';

/** Stops the run of a spec in order, from outside (R-PLAN-1, R-DEL-6). */
export const cancel: Command = {
  operands: [specOperand],
  options: [
    {
      flag: '--remove-state',
      summary: 'Also remove the state file, so that the next start is a new run. The journal is kept.',
    },
  ],
  examples: [
    ['cancel', 'Stops the run of the active spec. The run can be resumed.'],
    ['cancel demo --remove-state', 'Stops the run of "demo"; the next start is a new run.'],
  ],
  run: async (call) => {
    const project = await openProject(call.cwd, hostOf(call));
    const spec = await project.spec(call.operands[0]);
    await spec.cancel({ removeState: isSet(call, '--remove-state') });
    return 0;
  },
};
