import { relative } from 'node:path';
import { currentSpecFile, switchSpec } from '../../adapters/store/spec-folder.ts';
import type { Command } from '../command.ts';
import { findPlace, specIn } from '../place.ts';

/** Makes a spec the active one (R-FILE-2). */
export const switchTo: Command = {
  operands: [{ name: 'SPEC', summary: 'Name of the spec to make active.', isRequired: true }],
  options: [],
  examples: [['switch demo', 'Sets "demo" as the spec that commands use when none is named.']],
  run: async (call) => {
    const { roots, ...place } = await findPlace(call);
    const spec = await specIn({ roots, ...place }, call, call.operands[0]);
    await switchSpec(roots, spec);
    call.stderr.write(`${spec.name} is the active spec (${relative(roots.cwd, currentSpecFile(roots))}).\n`);
    return 0;
  },
};
