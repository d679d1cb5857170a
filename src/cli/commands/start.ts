import { draftOptions, quickOptions, suffixOption } from '../planning/options.ts';
import { startSpec } from '../planning/start-spec.ts';
import type { Command } from '../shared/command.ts';

/** Makes a spec from a goal, or goes on with what comes next for one that is there (R-PLAN-1). */
export const start: Command = {
  operands: [
    { name: 'NAME', summary: 'Name of the spec, new or not. Default: the active one.' },
    { name: 'GOAL...', summary: 'What is to be done, for a new spec.' },
  ],
  options: [suffixOption, ...quickOptions, ...draftOptions],
  examples: [
    ['start login "Add a login form"', 'Makes the spec "login".'],
    ['start', 'Goes on with the active spec: with what was interrupted, or with its next document.'],
  ],
  run: startSpec,
};
