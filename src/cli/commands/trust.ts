import { systemClock } from '../../adapters/clock/system.ts';
import { trustFile, trustStore } from '../../adapters/store/trust-store.ts';
import { parsePlan } from '../../core/plan/parse.ts';
import { visible, withoutGaps } from '../../core/text/sanitise.ts';
import { counted } from '../../core/text/words.ts';
import { type Command, isSet, jsonOption, specOperand } from '../command.ts';
import { executablesOf } from '../executables.ts';
import { requireHome } from '../home-folder.ts';
import {
  changedSettings,
  type Executable,
  requirePerson,
  requireReadable,
  settingsToTrust,
} from '../implement/trust.ts';
import { findSpec } from '../place.ts';
import { planOf } from '../plan-file.ts';
import { printJson } from '../print.ts';
import { elsewhereLines, homeOf } from '../worktree/home.ts';

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
    const place = await findSpec(call, call.operands[0]);
    const { repository } = place;
    const home = await homeOf(place, call);
    for (const line of elsewhereLines(home)) call.stderr.write(`${line}:\n`);
    const executables = executablesOf(parsePlan((await planOf(home.place.spec)).text), place);
    const commands = executables.map(({ command }) => command);
    const store = trustStore({
      file: trustFile(call.env, requireHome(call.env, 'XDG_STATE_HOME')),
      clock: systemClock,
    });
    const settings = settingsToTrust(place.loaded);
    const missing = new Set(await store.missingTrust(repository, commands));
    const found = await store.changedSettings(repository, settings);
    const changed = found === 'unknown' ? [] : changedSettings(found, place.loaded);
    const listed = executables.map(({ command, from }) => ({ command, from, trusted: !missing.has(command) }));
    if (isSet(call, '--json')) printJson(call.stdout, listed);
    else call.stdout.write([...listed.map(lineOf), ...changed.map((line) => `changed  ${line}\n`)].join(''));
    if (isSet(call, '--list')) return 0;
    requireReadable(executables);
    requirePerson(call.env);
    await store.addTrust(repository, { commands, settings });
    call.stderr.write(
      `${counted(commands.length, 'command')} trusted in ${repository.root}, ${missing.size} of them new.\n`,
    );
    if (changed.length > 0) call.stderr.write(`${counted(changed.length, 'changed setting')} trusted as well.\n`);
    return 0;
  },
};

/** The whole command, with what a terminal would hide made visible: it is to be read before it is trusted. */
function lineOf({ command, from, trusted }: Executable & { readonly trusted: boolean }): string {
  return `${trusted ? 'trusted' : 'new    '}  ${visible(from)}  ${withoutGaps(visible(command)).replaceAll('\n', '\n    ')}\n`;
}
