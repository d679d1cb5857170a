import { join } from 'node:path';
import { gitListing } from '../../adapters/git/listing.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { listSpecs } from '../../adapters/store/spec-folder.ts';
import { filesToRead, repositoryFacts } from '../../core/planning/repository-facts.ts';
import { progressContext } from '../../core/progress/context.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

const FILE_BYTES_MAX = 256 * 1024;

/** What code finds out about the repository for the authors of drafts (R-PLAN-2). Runs nothing of it. */
export async function factsOf(
  { repository: { root }, roots, spec }: SpecPlace,
  { env }: Pick<Host, 'env'>,
): Promise<readonly string[]> {
  const committed = await gitListing({ root, env: { ...env } }).filesOf('HEAD');
  const paths = [...committed.keys()];
  const texts = new Map(
    filesToRead(paths).flatMap((path) => {
      const text = textOf(join(root, path));
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
  const others = (await listSpecs(roots)).filter(({ name }) => name !== spec.name);
  const goalOf = (dir: string, file: string) => progressContext(textOf(join(dir, file))).goal.split('\n')[0] ?? '';
  const specs = others.map(({ name, dir, progressFile }) => ({ name, goal: goalOf(dir, progressFile) }));
  const goal = progressContext(textOf(join(spec.dir, spec.progressFile))).goal;
  return repositoryFacts({ paths, texts, specs, goal });
}

/** What cannot be read tells nothing. */
function textOf(path: string): string | undefined {
  try {
    return readText(path, FILE_BYTES_MAX);
  } catch {
    return undefined;
  }
}
