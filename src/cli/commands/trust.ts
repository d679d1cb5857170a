import { findSpec } from '../../app/find-spec.ts';
import { type ReviewedCommand, reviewTrust } from '../../app/trust/trust-review.ts';
import { visible, withoutGaps } from '../../core/text/sanitise.ts';
import { counted } from '../../core/text/words.ts';
import { type Command, isSet, jsonOption, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { printResult } from '../shared/print.ts';

/** Shows what a run would execute, and trusts it in this workspace (R-SEC-1). */
export const trust: Command = {
  operands: [specOperand],
  options: [
    { flag: '--list', summary: 'List the commands and whether they are trusted, without trusting them.' },
    jsonOption,
  ],
  examples: [
    ['trust --list', 'Lists the commands that a run of the active spec would execute.'],
    ['trust', 'Trusts them in this workspace until they change.'],
  ],
  run: async (call) => {
    const host = hostOf(call);
    const place = await findSpec(host, call.operands[0]);
    const { commands, changed, trust: trustAll } = await reviewTrust(place, host);
    const lines = [...commands.map(lineOf), ...changed.map((line) => `changed  ${line}\n`)];
    printResult(call, commands, () => lines.join(''));
    if (isSet(call, '--list')) return 0;
    await trustAll();
    const added = new Set(commands.flatMap(({ command, trusted }) => (trusted ? [] : [command])));
    call.stderr.write(
      `${counted(commands.length, 'command')} trusted in ${place.repository.root}, ${added.size} of them new.\n`,
    );
    if (changed.length > 0) call.stderr.write(`${counted(changed.length, 'changed setting')} trusted as well.\n`);
    return 0;
  },
};

/** The whole command, with what a terminal would hide made visible: it is to be read before it is trusted. */
function lineOf({ command, from, trusted }: ReviewedCommand): string {
  return `${trusted ? 'trusted' : 'new    '}  ${visible(from)}  ${withoutGaps(visible(command)).replaceAll('\n', '\n    ')}\n`;
}
