import { draftOptions, quickOptions, suffixOption } from '../planning/options.ts';
import { makeSpec } from '../planning/start-spec.ts';
import { type Command, optionText } from '../shared/command.ts';

/** Makes a spec from a goal and drafts its first document (R-PLAN-1). */
export const newSpec: Command = {
  operands: [
    { name: 'NAME', summary: 'Name of the new spec.', isRequired: true },
    { name: 'GOAL...', summary: 'What is to be done. Default: what a plan.md in its folder says.' },
  ],
  options: [
    suffixOption,
    {
      flag: '--specs-dir',
      placeholder: 'DIR',
      summary: 'Folder to make the spec in. Default: the first of specsDirs.',
    },
    ...quickOptions,
    { flag: '--skip-research', summary: 'Leave research out, like --skip research.' },
    ...draftOptions,
  ],
  examples: [
    ['new login "Add a login form" --agent claude', 'Makes the spec "login" and lets Claude Code research the goal.'],
    ['new login "Add a login form" --quick --trust', 'Drafts all documents, then runs the tasks, without a stop.'],
    ['new tidy "Fix a typo in the README"', 'A goal as small as this gets tasks only.'],
  ],
  details:
    'The documents that a goal gets depend on its class. Each is drafted by an agent, checked, committed, and then waits for your approval with exit code 3.',
  run: async (call) => await makeSpec(call, { specsDir: optionText(call, '--specs-dir') }),
};
