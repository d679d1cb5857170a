import { makeReady } from '../../app/init.ts';
import type { Command } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';

/** Makes a repository ready, once; what is there stays as it is (R-FILE-8). */
export const init: Command = {
  operands: [],
  options: [],
  examples: [['init', 'Adds ignore entries and a commented settings file to the repository.']],
  details: 'Overwrites nothing. Optional: without ignore entries a run adds its own to .git/info/exclude.',
  run: async (call) => {
    await makeReady(hostOf(call));
    return 0;
  },
};
