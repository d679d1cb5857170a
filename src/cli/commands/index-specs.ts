import { findPlace } from '../../app/place.ts';
import { writeIndex } from '../../app/spec/spec-index.ts';
import { visible } from '../../core/text/sanitise.ts';
import { counted } from '../../core/text/words.ts';
import type { Command } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';

/** Writes the index of all specs (R-ADV-3). */
export const indexSpecs: Command = {
  operands: [],
  options: [],
  examples: [['index', 'Writes specs/.index/index.md and index.json.']],
  details:
    'Lists all specs with their state, tasks, branch and pull request. Where the index exists, the last commit of each run renews it. The part of index.md between its two comments is replaced; what else you write there stays.',
  run: async (call) => {
    const host = hostOf(call);
    const { files, specs } = await writeIndex(await findPlace(host), host);
    call.stdout.write(`${counted(specs, 'spec')} in ${files.map(visible).join(', ')}\n`);
    return EXIT.ok;
  },
};
