import { draftOptions, quickOptions } from '../planning/options.ts';
import { type Command, isSet } from '../shared/command.ts';

/** Makes a spec from a goal, or goes on with what comes next for one that is there (R-PLAN-1). */
export const start: Command = {
  operands: [
    { name: 'NAME', summary: 'Name of the spec, new or not. Default: the active one.' },
    { name: 'GOAL...', summary: 'What is to be done, for a new spec.' },
  ],
  options: [
    { flag: '--suffix', summary: 'If the name is taken, take the next free one, such as login-2.' },
    ...quickOptions,
    ...draftOptions,
  ],
  examples: [
    ['start login "Add a login form"', 'Makes the spec "login".'],
    ['start', 'Goes on with the active spec: with what was interrupted, or with its next document.'],
  ],
  run: async (call) => {
    const { startSpec } = await import('../planning/start-spec.ts');
    return await startSpec(call, { suffix: isSet(call, '--suffix') });
  },
};
