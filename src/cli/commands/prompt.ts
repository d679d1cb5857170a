import { openProject } from '../../app/project.ts';
import type { Role } from '../../core/agent/role.ts';
import { DOCUMENTS } from '../../core/planning/steps.ts';
import { UserError } from '../../core/user-error.ts';
import { type Call, type Command, optionText } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';

const ROLES: readonly Role[] = ['executor', 'verifier', 'reviewer'];

/** Prints exactly what an agent would get for its next attempt (R-AGT-7). Changes nothing. */
export const prompt: Command = {
  operands: [
    { name: 'TASK|DOCUMENT', summary: `Id of the task, or one of ${DOCUMENTS.join(', ')}.`, isRequired: true },
    { name: 'SPEC', summary: 'Name of the spec. Default: the active one.' },
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
    const role = roleOf(call);
    const project = await openProject(call.cwd, hostOf(call));
    const spec = await project.spec(name);
    call.stdout.write(await spec.prompt(task, role));
    return 0;
  },
};

function roleOf(call: Call): Role | undefined {
  const given = optionText(call, '--role');
  const role = ROLES.find((name) => name === given);
  if (given === undefined || role !== undefined) return role;
  throw new UserError(`--role takes ${ROLES.join(', ')}, not "${given}".`, 'Name one of them, or leave it out.');
}
