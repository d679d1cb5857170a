import { join } from 'node:path';
import { gitListing } from '../../adapters/git/listing.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { listSpecs } from '../../adapters/store/spec-folder.ts';
import { type ProjectCommand, projectCommands } from '../../core/planning/project-commands.ts';
import { filesToRead, type ReadRepository, repositoryFacts } from '../../core/planning/repository-facts.ts';
import { progressContext } from '../../core/progress/context.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { workdirOf } from '../shell/workdir.ts';
import { progressText } from './progress-text.ts';

const FILE_BYTES_MAX = 256 * 1024;

/** What code finds out about the repository for the authors of drafts (R-PLAN-2). Runs nothing of it. */
export async function factsOf(place: SpecPlace, host: Pick<Host, 'env'>): Promise<readonly string[]> {
  const { roots, spec } = place;
  const { paths, texts } = await readFiles(place, host);
  const others = (await listSpecs(roots)).filter(({ name }) => name !== spec.name);
  const goalOf = (dir: string, file: string) => progressContext(textOf(join(dir, file))).goal.split('\n')[0] ?? '';
  const specs = others.map(({ name, dir, progressFile }) => ({ name, goal: goalOf(dir, progressFile) }));
  const goal = progressContext(progressText(place)).goal;
  return repositoryFacts({ paths, texts, specs, goal });
}

/** The commands that check, test and build the project in the folder that agents work in. Runs none of them. */
export async function projectCommandsOf(place: SpecPlace, host: Pick<Host, 'env'>): Promise<readonly ProjectCommand[]> {
  const workdir = workdirOf(place);
  const found = projectCommands(await readFiles(place, host), workdir);
  const { testCommand } = place.loaded.settings;
  if (testCommand === undefined) return found;
  const unit = { kind: 'unit', command: testCommand, from: 'the setting testCommand' } as const;
  return [...found.filter(({ kind }) => kind !== 'unit'), unit];
}

/** The committed paths, and the texts of manifests and CI files. */
async function readFiles(
  { repository: { root } }: SpecPlace,
  { env }: Pick<Host, 'env'>,
): Promise<Pick<ReadRepository, 'paths' | 'texts'>> {
  const committed = await gitListing({ root, env: { ...env } }).filesOf('HEAD');
  const paths = [...committed.keys()];
  const texts = filesToRead(paths).flatMap((path) => {
    const text = textOf(join(root, path));
    return text === undefined ? [] : [[path, text] as const];
  });
  return { paths, texts: new Map(texts) };
}

/** What cannot be read tells nothing. */
function textOf(path: string): string | undefined {
  try {
    return readText(path, FILE_BYTES_MAX);
  } catch {
    return undefined;
  }
}
