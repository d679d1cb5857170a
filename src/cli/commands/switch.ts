import { makeActive } from '../../app/spec/make-active.ts';
import type { Command } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';

/** Makes a spec the active one (R-FILE-2). */
export const switchTo: Command = {
  operands: [{ name: 'SPEC', summary: 'Name of the spec to make active.', isRequired: true }],
  options: [],
  examples: [['switch demo', 'Sets "demo" as the spec that commands use when none is named.']],
  run: async (call) => {
    await makeActive(hostOf(call), call.operands[0]);
    return 0;
  },
};
