import { authorName } from '../../adapters/git/author-name.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { STATE_FILE } from '../../core/spec-files.ts';
import { updateStateFile } from '../../core/state-file/update.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

/** Writes the progress file and commits it; the gate of the state file is open then (R-GATE-4, R-GATE-7). */
export async function recordDecision(
  place: SpecPlace,
  host: Host,
  {
    text,
    before,
    approved = [],
    subject,
    commits,
  }: {
    readonly text: string;
    readonly before: string;
    /** Documents that are committed as they are approved, where a person edited them. */
    readonly approved?: readonly string[];
    readonly subject: string;
    readonly commits: boolean;
  },
): Promise<void> {
  const { spec, repository, loaded } = place;
  const files = specFiles(spec.dir);
  if (text !== before) await files.write(spec.progressFile, text);
  const state = await files.read(STATE_FILE);
  if (state !== undefined) await files.write(STATE_FILE, updateStateFile(state, { awaitingApproval: false }));
  if (!loaded.settings.commitSpec || !commits) return;
  const git = gitOf(place, host);
  const tree = { dir: repository.root };
  const changed = new Set((await git.inspect(tree)).changes.map(({ path }) => path));
  const edited = approved.map((file) => `${spec.path}/${file}`).filter((path) => changed.has(path));
  const done = await git.commit(tree, {
    message: `spec(${spec.name}): ${subject}`,
    trailers: {},
    paths: [`${spec.path}/${spec.progressFile}`, ...edited],
    keepsStaged: true,
  });
  if (done.how === 'refused' || done.how === 'unfit') host.notify(`It is not committed: ${done.output.trim()}`);
}

/** Who approves and rejects, by the settings of git. */
export async function personName({ repository: { root } }: SpecPlace, { env }: Host): Promise<string> {
  return (await authorName({ root, env: { ...env } })) ?? 'unknown';
}

/** The repository of a spec. */
export function gitOf({ repository: { root } }: SpecPlace, { env }: Host) {
  return gitCli({ root, env: { ...env } });
}
