import { openProject } from '../../app/project.ts';
import type { Role } from '../../core/agent/role.ts';
import { DOCUMENTS } from '../../core/planning/steps.ts';
import type { Command } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { choiceOf, laterSpecOperand } from '../shared/options.ts';

const ROLES: readonly Role[] = ['executor', 'verifier', 'reviewer'];

/** Prints exactly what an agent would get for its next attempt (R-AGT-7). Changes nothing. */
export const prompt: Command = {
  operands: [
    { name: 'TASK|DOCUMENT', summary: `Id of the task, or one of ${DOCUMENTS.join(', ')}.`, isRequired: true },
    laterSpecOperand,
  ],
  options: [
    {
      flag: '--role',
      placeholder: ROLES.join('|'),
      summary: 'Role of the agent. Default: the one that gets the task.',
    },
  ],
  examples: [
    ['prompt 1.2', 'Prints the prompt of the next attempt at task 1.2 of the active spec.'],
    ['prompt 1.2 demo --role reviewer', 'Prints what a reviewer of that task would get now.'],
    ['prompt design demo', 'Prints what the author of the design would get now.'],
  ],
  run: async (call) => {
    const [task = '', name] = call.operands;
    const role = choiceOf(call, '--role', ROLES);
    const project = await openProject(call.cwd, hostOf(call));
    const spec = await project.spec(name);
    call.stdout.write(await spec.prompt(task, role));
    return 0;
  },
};
