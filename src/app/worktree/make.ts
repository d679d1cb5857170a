import { gitCli } from '../../adapters/git/git-cli.ts';
import { addWorktreeOn, forgetWorktree } from '../../adapters/git/worktree-list.ts';
import { readWorktreeRecord, type WorktreeRecord, writeWorktreeRecord } from '../../adapters/store/worktree-record.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, privateFolderOf } from '../run/runs.ts';
import type { OnStop } from '../start/order.ts';
import type { Chosen } from './choose.ts';
import { fillWithSpec } from './fill.ts';
import { setUpWorktree } from './setup.ts';

const PATHS_MAX = 5;

/** Finds a spec in another worktree, by its absolute path. */
export type PlaceInTree = (from: SpecPlace, dir: string, env: Host['env']) => Promise<SpecPlace>;

/**
 * Makes the worktree that was chosen, or continues where that was interrupted, until it is ready to run in; resolves with the
 * spec in it. Each step is written down before the next begins. The caller holds the spec's lock. `isStopped` is asked
 * before what takes long: once it says so, the next start goes on. Throws `UserError`, `GitFault` and `StorageFault`.
 */
export async function makeWorktree(
  choice: Chosen,
  from: SpecPlace,
  {
    host,
    onStop,
    placeIn,
    isStopped,
  }: {
    readonly host: Host;
    readonly onStop: OnStop;
    readonly placeIn: PlaceInTree;
    readonly isStopped: () => boolean;
  },
): Promise<SpecPlace> {
  const { env, notify } = host;
  const folder = privateFolderOf(from);
  if (choice.is === 'missing') {
    await add(choice, from, env);
    const branch = `the ${choice.at === undefined ? '' : 'new '}branch ${choice.branch}`;
    notify(`Created the worktree ${choice.dir}, on ${branch}.`);
  } else tellWhere(choice, host);
  let record = readWorktreeRecord(folder);
  const step = (stage: WorktreeRecord['stage']) => {
    if (record === undefined) return;
    record = { ...record, stage };
    writeWorktreeRecord(folder, record);
  };
  if (record?.dir === choice.dir && (record.stage === 'adding' || record.stage === 'added')) {
    const withState = (await archiveOf(from).latest()) === undefined;
    const order = { from, to: choice.dir, isNewBranch: record.at !== undefined, withState };
    const copied = await fillWithSpec(order, env);
    if (copied.length > 0) tellCopied(copied, notify);
    step('filled');
  }
  const to = await placeIn(from, choice.dir, env);
  if (record?.dir === choice.dir && record.stage !== 'ready' && !isStopped()) {
    await setUpWorktree({ from, to }, host, onStop);
    if (!isStopped()) step('ready');
  }
  return to;
}

/** Says where a run works. */
export function tellWhere(
  { dir, branch }: { readonly dir: string; readonly branch: string },
  { notify }: Pick<Host, 'notify'>,
): void {
  notify(`Working in the worktree ${dir}, on the branch ${branch}.`);
}

/** Git merges into no tree that has files of its own in the way. */
function tellCopied(paths: readonly string[], notify: Host['notify']): void {
  const shown = paths.length > PATHS_MAX ? [...paths.slice(0, PATHS_MAX), '…'] : paths;
  notify(
    `Copied uncommitted files of the spec (${shown.join(', ')}) to the worktree, where the run commits them. Move your copies away before you merge.`,
  );
}

async function add(
  { dir, branch, at, forget, remove }: Extract<Chosen, { readonly is: 'missing' }>,
  from: SpecPlace,
  env: Host['env'],
): Promise<void> {
  const { root } = from.repository;
  for (const half of remove) await gitCli({ root, env }).removeWorktree(half);
  for (const gone of forget) await forgetWorktree(root, env, gone);
  const order = { dir, branch, ...(at === undefined ? {} : { at }) };
  writeWorktreeRecord(privateFolderOf(from), { ...order, stage: 'adding' });
  await addWorktreeOn(root, env, order);
  writeWorktreeRecord(privateFolderOf(from), { ...order, stage: 'added' });
}
