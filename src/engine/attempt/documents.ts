import type { PlannedTask } from '../../core/plan/data/planned-task.ts';
import { seenFrom } from '../../core/plan/data/workdir.ts';
import { progressOf, type RunState } from '../../core/run/data/state.ts';
import { RESEARCH_FILE } from '../../core/spec-files.ts';
import type { RunFolder } from '../../ports/store.ts';
import { specPath, type World } from '../lane/world.ts';
import { outOfScope } from '../watch/scope.ts';

/** The documents of a spec that its reviewer judges by (R-VER-7, R-DIA-5); those next to a single file are a person's own. */
function judgedBy({ format, isSingleFile }: Pick<World['spec'], 'format' | 'isSingleFile'>): readonly string[] {
  return isSingleFile ? [] : [format.documents.requirements, format.documents.design];
}

/**
 * Keeps what no commit keeps: before the first attempt at a task, a copy of each document that the start commit does not
 * have, as it is ignored or not committed. Kept once; done again it changes nothing.
 */
export async function keepDocuments(state: RunState, world: World, place: World, key: string): Promise<void> {
  if (state.policy.review === 'off') return;
  const { start } = progressOf(state, key);
  for (const name of judgedBy(place.spec)) {
    const text = (await readDocument(place, name)) ?? (await readDocument(world, name));
    if (text === undefined || (await world.folder.readRecord(recordName(key, name))) !== undefined) continue;
    if ((await place.git.fileAt(place.tree, start, specPath(place, name))) === undefined)
      await world.folder.writeRecord(recordName(key, name), text);
  }
}

/** What has the records of a run. */
export interface WithRecords {
  readonly folder: Pick<RunFolder, 'readRecord'>;
}

/** A document as it was when the work on a task began; `undefined` if there was none (R-VER-7). */
export async function documentAtStart(
  state: RunState,
  { git, tree, folder, spec }: Pick<World, 'git' | 'tree' | 'spec'> & WithRecords,
  { key, name }: { readonly key: string; readonly name: string },
): Promise<string | undefined> {
  if (!judgedBy(spec).includes(name)) return undefined;
  const { start } = progressOf(state, key);
  return (await git.fileAt(tree, start, specPath({ spec }, name))) ?? (await folder.readRecord(recordName(key, name)));
}

/** The changed documents that *Files* of the task does not name: an agent may not change what its work is judged by (R-VER-3). */
export function changedDocuments(world: World, changed: readonly string[], task: PlannedTask): readonly string[] {
  const documents = judgedBy(world.spec).map((name) => specPath(world, name));
  return outOfScope(
    changed.filter((path) => documents.includes(path)),
    task,
  );
}

/** The names of the documents that a spec has, for its agents. */
export async function documentsIn(place: Pick<World, 'files' | 'spec'>): Promise<readonly string[]> {
  const { format, isSingleFile } = place.spec;
  const research = isSingleFile ? [] : format.documents.more.filter((name) => name === RESEARCH_FILE);
  const names = [...research, ...judgedBy(place.spec)];
  const there = await Promise.all(names.map(async (name) => (await readDocument(place, name)) !== undefined));
  return names.filter((_, at) => there[at]);
}

async function readDocument({ files }: Pick<World, 'files'>, name: string): Promise<string | undefined> {
  return await files.read(name).catch(() => undefined);
}

function recordName(key: string, name: string): string {
  return `${key}/start-${name}`;
}

/** What else the tool of a spec keeps for the agents that work on it, seen from the workspace (R-DIA-5). */
export function contextPaths({ spec, workdir }: Pick<World, 'spec' | 'workdir'>): readonly string[] {
  return (spec.context ?? []).map((path) => seenFrom(workdir, path));
}
