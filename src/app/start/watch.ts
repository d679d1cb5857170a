import { readFileSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { systemClock } from '../../adapters/clock/system.ts';
import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { gitPictures } from '../../adapters/git/watch/git-pictures.ts';
import type { FilePart } from '../../adapters/git/watch/part.ts';
import { trustFile, trustStore } from '../../adapters/store/trust-store.ts';
import { SETTINGS_FILES } from '../../config/file.ts';
import { userFolder } from '../../config/load.ts';
import type { Settings } from '../../config/schema.ts';
import type { RunIdentity } from '../../engine/execute.ts';
import { Watch } from '../../engine/watch/watch.ts';
import type { RunFolder } from '../../ports/store.ts';
import { homeFolder } from '../home-folder.ts';
import type { Host } from '../host.ts';
import type { Ready } from './ready.ts';
import type { TakenOver } from './take-over.ts';

const PROGRAMS_MAX = 100;

/** The person's own settings, and what they trust in this workspace: no agent gives itself either (R-SEC-1). */
export function ofPerson(
  repository: Pick<RepositoryPlace, 'root' | 'commonDir'>,
  env: Host['env'],
): { readonly personal: readonly string[]; readonly parts: readonly FilePart[] } {
  const folder = userFolder({ ...env, HOME: homeFolder(env) });
  const personal = folder === undefined ? [] : ['.yaml', '.json'].map((end) => join(folder, `config${end}`));
  const home = homeFolder(env);
  if (home === undefined && env.XDG_STATE_HOME === undefined) return { personal, parts: [] };
  const file = trustFile(env, home ?? '/');
  const store = trustStore({ file, clock: systemClock });
  const part: FilePart = {
    name: `${file}#${repository.root}`,
    use: 'trust',
    shown: `What is trusted in ${repository.root} (${file})`,
    read: () => store.entryOf(repository),
    write: (entry) => store.putEntry(repository, entry),
  };
  return { personal, parts: [part] };
}

/** The watch over what judges the work of one run (R-VER-14). */
export function watchOf(
  { host, killed, handedOver, place, archive, git }: Ready & Pick<TakenOver, 'handedOver'>,
  { run, plan }: Pick<RunIdentity, 'run' | 'plan'>,
): Watch {
  const { root } = place.repository;
  const folder = archive.folder(run);
  const { personal, parts } = ofPerson(place.repository, host.env);
  const commands = plan.plan.tasks.flatMap(({ verifyCommand }) => verifyCommand ?? []);
  return new Watch({
    main: { dir: root },
    spec: place.spec.name,
    setRef: (ref, commit) => git.setRef(ref, commit),
    ...(killed && { killed }),
    ...(handedOver && { handedOver }),
    folder,
    pictures: gitPictures({
      root,
      env: host.env,
      own: {
        settings: [...SETTINGS_FILES, ...agentFiles(place.loaded.settings)],
        personal,
        programs: programsOf([...commands, ...scriptsIn(root)]),
      },
      parts,
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
