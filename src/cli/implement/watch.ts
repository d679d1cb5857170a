import { readFileSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { gitPictures } from '../../adapters/git/watch/git-pictures.ts';
import { SETTINGS_FILES } from '../../config/file.ts';
import type { Settings } from '../../config/schema.ts';
import type { RunIdentity } from '../../engine/execute.ts';
import { Watch } from '../../engine/watch.ts';
import { WATCH_RECORD } from '../../engine/watch-record.ts';
import type { RunFolder } from '../../ports/store.ts';
import type { Ready } from './ready.ts';

const PROGRAMS_MAX = 100;

/** The watch over what judges the work of one run (R-VER-14). */
export function watchOf({ input, place, archive }: Ready, { run, plan }: Pick<RunIdentity, 'run' | 'plan'>): Watch {
  const { root } = place.repository;
  const folder = archive.folder(run);
  const commands = plan.plan.tasks.flatMap(({ verifyCommand }) => verifyCommand ?? []);
  return new Watch({
    main: { dir: root },
    spec: place.spec.name,
    ...(input.killed && { killed: input.killed }),
    record: (text) => folder.writeRecord(WATCH_RECORD, text),
    pictures: gitPictures({
      root,
      env: input.env,
      own: {
        settings: [...SETTINGS_FILES, ...agentFiles(place.loaded.settings)],
        programs: programsOf([...commands, ...scriptsIn(root)]),
      },
      ...keptReplaced(folder, { spec: place.spec.name, run }),
    }),
  });
}

/** Where what is replaced in a run is kept: files in its folder, what refs are moved away from under refs. */
export function keptReplaced(
  folder: RunFolder,
  { spec, run }: { readonly spec: string; readonly run: string },
): { readonly keepIn: string; readonly keepUnder: string } {
  return { keepIn: folder.logPath('replaced'), keepUnder: `refs/specloop/kept/${spec}/${run}/replaced/` };
}

/** Words of the agents' command lines that may be files of the tree: what an agent is, no agent may change. */
function agentFiles({ agentCommand, roles }: Settings): readonly string[] {
  const words = [agentCommand, ...Object.values(roles ?? {}).map((role) => role?.command)].flatMap(
    (argv) => argv ?? [],
  );
  const paths = words.filter((word) => /[./]/.test(word) && !word.startsWith('-') && !isAbsolute(word)).map(normalize);
  return [...new Set(paths.filter((path) => !path.startsWith('..')))];
}

/** Programs of packages that these commands may start by name. */
function programsOf(commands: readonly string[]): readonly string[] {
  const words = commands.flatMap((command) => command.match(/[A-Za-z0-9@][\w.@-]*/g) ?? []);
  return [...new Set(words)].slice(0, PROGRAMS_MAX).map((word) => `node_modules/.bin/${word}`);
}

/** The scripts of `package.json`, which commands such as `npm test` run. */
function scriptsIn(root: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts?: unknown };
    return Object.values(scripts ?? {}).filter((script) => typeof script === 'string');
  } catch {
    return []; // Not there, or nothing that npm could read.
  }
}
