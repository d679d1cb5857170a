import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../adapters/store/atomic-write.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { listSpecs } from '../../adapters/store/spec-folder.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import { specKey } from '../../core/spec-files.ts';
import { type IndexedSpec, indexJson, indexMarkdown } from '../../core/view/spec-index.ts';
import type { Host } from '../host.ts';
import type { Place, SpecPlace } from '../place.ts';
import { archiveOf, latestRun } from '../run/runs.ts';
import { type ListedSpec, specsOf } from './specs.ts';

const FOLDER = '.index';
const BYTES_MAX = 16 * 1024 * 1024;

/** What writing the index came to. */
export interface WrittenIndex {
  /** Paths of its files, relative to the repository. */
  readonly files: readonly string[];
  readonly specs: number;
}

/**
 * Writes the index of all specs into the folder `.index` of the first root (R-ADV-3). A file that says the same already is
 * not touched. `onlyIfThere`: only where the folder is there. Throws `StorageFault`.
 */
export async function writeIndex(
  place: Place,
  host: Pick<Host, 'env'>,
  { onlyIfThere = false }: { readonly onlyIfThere?: boolean } = {},
): Promise<WrittenIndex> {
  const { cwd, specsDirs } = place.roots;
  const root = join(cwd, specsDirs[0] ?? 'specs', FOLDER);
  const names = { json: join(root, 'index.json'), markdown: join(root, 'index.md') };
  const before = { json: textOf(names.json), markdown: textOf(names.markdown) };
  if (onlyIfThere && before.json === undefined) return { files: [], specs: 0 };
  const folders = new Map((await listSpecs(place.roots)).map((spec) => [specKey(spec), spec]));
  // Which single files are plans is known on this machine only.
  const listed = (await specsOf(place, host)).filter(({ path }) => !folders.get(path)?.isSingleFile);
  const specs = await Promise.all(listed.map((spec) => indexed(spec, folders.get(spec.path), place)));
  mkdirSync(root, { recursive: true });
  const texts = { json: indexJson(specs), markdown: indexMarkdown(before.markdown, specs) };
  if (texts.json !== before.json) writeAtomically(names.json, texts.json);
  if (texts.markdown !== before.markdown) writeAtomically(names.markdown, texts.markdown);
  return { files: [names.markdown, names.json], specs: specs.length };
}

function textOf(file: string): string | undefined {
  return readText(file, BYTES_MAX);
}

async function indexed(
  { name, path, total, done }: ListedSpec,
  folder: SpecFolder | undefined,
  { repository }: Place,
): Promise<IndexedSpec> {
  const known = repository && folder ? await ofNewestRun({ repository, spec: folder }) : UNKNOWN;
  const state = total === null ? 'planning' : done === total ? 'completed' : 'tasks';
  return { name, path, state, total, done, ...known };
}

const UNKNOWN = { branch: null, pullRequest: null };

/** A journal that cannot be read hides no spec. */
async function ofNewestRun(
  place: Pick<SpecPlace, 'repository' | 'spec'>,
): Promise<Pick<IndexedSpec, 'branch' | 'pullRequest'>> {
  const latest = await latestRun(archiveOf(place)).catch(() => undefined);
  if (latest === undefined) return UNKNOWN;
  const { branch, pullRequest } = latest.state;
  return { branch: branch === '' ? null : branch, pullRequest: pullRequest?.pullRequest?.url ?? null };
}
