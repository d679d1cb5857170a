import { choicesOf, draftOptions, isQuick, quickOptions } from '../planning/options.ts';
import { type Command, isSet, optionText } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf } from '../shared/setting-options.ts';

/** Makes a spec from a goal and drafts its first document (R-PLAN-1). */
export const newSpec: Command = {
  operands: [
    { name: 'NAME', summary: 'Name of the new spec.', isRequired: true },
    { name: 'GOAL...', summary: 'What is to be done. Default: what a plan.md in its folder says.' },
  ],
  options: [
    { flag: '--suffix', summary: 'If the name is taken, take the next free one, such as login-2.' },
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
  run: async (call) => {
    const { findPlace, inRepository } = await import('../../app/place.ts');
    const { specToMake } = await import('../../app/planning/new-spec.ts');
    const { runNew } = await import('../planning/run-new.ts');
    const { runQuick } = await import('../planning/run-quick.ts');
    const host = hostOf(call);
    const place = await findPlace(host, flagsOf(call));
    const [name = '', ...goal] = call.operands;
    const stated = choicesOf(call);
    const choices = isSet(call, '--skip-research')
      ? { ...stated, skipped: [...(stated.skipped ?? []), 'research' as const] }
      : stated;
    const toMake = await specToMake(
      { ...place, repository: inRepository(place, host) },
      {
        name,
        goal: goal.join(' '),
        suffix: isSet(call, '--suffix'),
        specsDir: optionText(call, '--specs-dir'),
        choices,
        isQuick: isQuick(call),
      },
    );
    return isQuick(call) ? await runQuick(call, toMake, choices) : await runNew(call, toMake, choices);
  },
};
