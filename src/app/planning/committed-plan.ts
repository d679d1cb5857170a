import { gitCli } from '../../adapters/git/git-cli.ts';
import { FILE_OF } from '../../core/planning/steps.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

/** The plan of a spec as the last commit has it; `undefined` where it has none. */
export async function committedPlan(
  { spec, repository: { root } }: SpecPlace,
  { env }: Pick<Host, 'env'>,
): Promise<string | undefined> {
  const git = gitCli({ root, env });
  return await git.fileAt({ dir: root }, 'HEAD', `${spec.path}/${FILE_OF.tasks}`).catch(() => undefined);
}
