import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { holdsWork } from '../../core/run/holds-work.ts';
import { isInTree } from '../../core/run/lane-of.ts';
import type { World } from '../lane/world.ts';

/**
 * The user's uncommitted changes while agents and commands work in the same tree (R-START-2). Their state is kept
 * under a ref before an attempt; what an attempt did to them is put back after it, and named. The form that is replaced is
 * kept as well: it may be the user's own edit of a minute ago. Where the user has none, this costs nothing.
 */
export async function withUsersChanges(
  effect: Effect,
  state: RunState,
  world: World,
  act: () => Promise<RunEvent | undefined>,
): Promise<RunEvent | undefined> {
  if (guardedPaths(state).length === 0 || !WORKS.has(effect.do)) return await act();
  const isApart = 'lane' in effect && effect.lane.kind === 'worktree';
  // Members write elsewhere; what one of them did in the user's tree all the same is seen before the next record.
  if (isApart && effect.do !== 'commit' && effect.do !== 'hold') return await act();
  if (effect.do === 'delegate' || effect.do === 'open-batch') {
    await keepChanges(effect, state, world);
    return await act();
  }
  const before = [...(await putBackChanges(effect, state, world)), ...(await blockedFiles(effect, state, world))];
  const event = await act();
  if (event === undefined) return undefined;
  if (RECORDS.has(effect.do)) return withChanges(event, before);
  return withChanges(event, [...new Set([...before, ...(await putBackChanges(effect, state, world))])]);
}

/** Effects after which nothing of an agent's is left in the tree that could have changed something. */
const RECORDS: ReadonlySet<Effect['do']> = new Set(['commit', 'record-draft', 'hold', 'set-aside']);

/** Effects before, or during, which something works in the user's tree that is not ours. */
const WORKS: ReadonlySet<Effect['do']> = new Set([
  'delegate',
  'open-batch',
  'check',
  'check-draft',
  'review',
  'test',
  'reproduce',
  'set-aside',
  'commit',
  'record-draft',
  'hold',
  'close-batch',
]);

/** A repository inside the tree has its own history. */
function guardedPaths({ foreign }: RunState): readonly string[] {
  return foreign.filter((path) => !path.endsWith('/'));
}

/** The record of what is kept: the paths, too, as one that was removed by the user is in no commit. */
const RECORD = 'uncommitted.json';

interface Kept {
  readonly commit: string;
  readonly paths: readonly string[];
  /** What an attempt did to them and was put back: a check that is interrupted tells it when it is made again (R-ADV-2). */
  readonly found?: { readonly attempt: string; readonly changes: readonly string[] };
}

async function readKept({ folder }: World): Promise<Kept | undefined> {
  const text = await folder.readRecord(RECORD);
  return text === undefined ? undefined : JSON.parse(text);
}

/** What the user changed while nothing was at work is taken as it is. */
async function keepChanges(effect: Effect, state: RunState, world: World): Promise<void> {
  const { git, tree, spec, folder } = world;
  const paths = guardedPaths(state);
  const kept = await readKept(world);
  const isAtWork = [...state.progress].some(
    ([other, at]) => !('task' in effect && effect.task === other) && holdsWork(at) && isInTree(state, other),
  );
  if (kept !== undefined && (isAtWork || (await isAsKept(world, kept, paths)))) return;
  const order = { ref: refOf(spec, 'kept'), paths, message: "specloop: the user's uncommitted changes" };
  const commit = await git.keepUncommitted(tree, order);
  if (commit !== undefined) await folder.writeRecord(RECORD, JSON.stringify({ commit, paths }));
}

async function isAsKept({ git, tree }: World, kept: Kept, paths: readonly string[]): Promise<boolean> {
  const known = new Set(kept.paths);
  if (!paths.every((path) => known.has(path))) return false;
  const { files, staged } = await git.uncommittedDiffers(tree, kept.commit, paths);
  return files.length === 0 && staged.length === 0;
}

/**
 * What was put back, in sentences. That an agent staged or unstaged a file, as with a commit of everything, is undone
 * without a word; where the agent's own commit is the record, it stays.
 */
async function putBackChanges(effect: Effect, state: RunState, world: World): Promise<readonly string[]> {
  const { git, tree, spec, folder } = world;
  const kept = await readKept(world);
  if (kept === undefined) return [];
  const attempt = effect.do === 'check' ? `${effect.task} ${effect.attempt}` : '';
  const earlier = kept.found?.attempt === attempt ? kept.found.changes : [];
  const known = new Set(kept.paths);
  const paths = guardedPaths(state).filter((path) => known.has(path));
  const differs = await git.uncommittedDiffers(tree, kept.commit, paths);
  const changed = differs.files;
  const staged = state.policy.bookkeeping === 'agent' ? [] : differs.staged;
  if (changed.length === 0) {
    if (staged.length > 0) await git.putBackUncommitted(tree, kept.commit, staged);
    return earlier;
  }
  const ref = await unusedRef(world);
  const { head = state.tip, changes } = await git.inspect(tree);
  const isNear = (path: string) =>
    changed.some((one) => path === one || path.startsWith(`${one}/`) || one.startsWith(`${path}/`));
  const replaced = await git.snapshot(tree, {
    ref,
    base: head,
    message: "specloop: what was in the place of the user's uncommitted changes",
    exclude: changes.map(({ path }) => path).filter((path) => !isNear(path)),
  });
  const where = replaced === undefined ? '' : `; what was there instead is kept under ${ref}`;
  const say = (path: string) => `${path} has uncommitted changes of yours, and was changed: put back${where}`;
  const found = { attempt, changes: [...earlier, ...changed.map(say)] };
  if (attempt !== '') await folder.writeRecord(RECORD, JSON.stringify({ ...kept, found }));
  await git.putBackUncommitted(tree, kept.commit, [...new Set([...changed, ...staged])]);
  await git.setRef(refOf(spec, 'kept'), kept.commit); // An agent may have removed it.
  return found.changes;
}

/** Once all is done and as it was, the ref is of no use any more; those of what was replaced stay. */
export async function forgetChanges(state: RunState, world: World): Promise<void> {
  const kept = await readKept(world);
  if (kept === undefined || !(await isAsKept(world, kept, guardedPaths(state)))) return;
  await world.git.removeRefs([refOf(world.spec, 'kept')]);
}

/**
 * Files that the task names and that the user had changed before it: they are never committed, so that the task could be
 * recorded only without its work.
 */
async function blockedFiles(effect: Effect, state: RunState, { git, tree }: World): Promise<readonly string[]> {
  if (effect.do !== 'check') return [];
  const named = new Set(taskOf(state, effect.task).files.map((file) => file.replace(/^\.\//, '')));
  const both = guardedPaths(state).filter((path) => named.has(path));
  if (both.length === 0) return [];
  const changed = new Set((await git.inspect(tree)).changes.map(({ path }) => path));
  return both
    .filter((path) => changed.has(path))
    .map(
      (path) =>
        `${path} is named by the task, and has uncommitted changes from before it, which are never committed. Commit or remove them`,
    );
}

/** Before the agent's claim is judged the changes reject the attempt; else they are a note for a person. */
function withChanges(event: RunEvent, changes: readonly string[]): RunEvent {
  if (changes.length === 0) return event;
  switch (event.type) {
    case 'task-checked':
      return { ...event, evidence: { ...event.evidence, usersChanges: changes } };
    case 'work-set-aside':
    case 'questions-asked':
      return { ...event, repaired: [...event.repaired, ...changes] };
    case 'task-reviewed':
    case 'task-committed':
    case 'work-held':
    case 'tests-run':
    case 'reproduction-run':
    case 'commands-measured':
    case 'batch-closed':
      return { ...event, notes: [...(event.notes ?? []), ...changes] };
    default:
      return event;
  }
}

function refOf({ name, run }: World['spec'], what: string): string {
  return `refs/specloop/yours/${name}/${run}/${what}`;
}

async function unusedRef({ git, spec }: World): Promise<string> {
  for (let n = 1; ; n++) {
    const ref = refOf(spec, `replaced-${n}`);
    if ((await git.readRef(ref)) === undefined) return ref;
  }
}
