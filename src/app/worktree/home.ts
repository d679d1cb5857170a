import { existsSync } from 'node:fs';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { hasLinkedWorktrees, type ListedWorktree, listWorktrees } from '../../adapters/git/worktree-list.ts';
import { readWorktreeRecord } from '../../adapters/store/worktree-record.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { specKey } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { privateFolderOf, readableRun } from '../run/runs.ts';
import { placeInTree } from './place.ts';

/** Where the plan and the state of a spec are that its newest run works with. */
export interface Home {
  readonly place: SpecPlace;
  /** The tree they are in, where that is not the one that we were started in. */
  readonly elsewhere?: ListedWorktree;
  /** The newest run, looked for only where there are several trees. */
  readonly run?: RunState;
}

/**
 * Where the documents of a spec are that its newest run works with (R-FILE-7): in the tree that has the run's branch,
 * if another one than ours has, and until the run is complete and all of it is in ours. Costs nothing in a repository of
 * one tree. Changes nothing.
 */
export async function homeOf(place: SpecPlace, { env }: Pick<Host, 'env'>): Promise<Home> {
  const { repository } = place;
  if (!hasLinkedWorktrees(repository.commonDir)) return { place };
  const run = await readableRun(place);
  const found = { place, ...(run && { run }) };
  const branch = run?.branch || readWorktreeRecord(privateFolderOf(place))?.branch;
  if (branch === undefined) return found;
  const trees = await listWorktrees(repository, env);
  const holder = holderOf(place, trees, branch);
  if (holder === undefined || holder.dir === repository.root) return found;
  const isHere = existsSync(place.spec.dir);
  if (isHere && run?.ended?.result === 'completed' && (await isMerged(place, branch, env))) return found;
  const there = await placeInTree(place, holder.dir, env).catch(nothingForUser);
  return there === undefined ? found : { ...found, place: there, elsewhere: holder };
}

/**
 * Where a command that plans a spec works: where `homeOf` leads, if that is a linked worktree or this tree does not have the spec;
 * the main worktree keeps its own copy of a spec that is here as well.
 */
export async function planningHome(start: SpecPlace, host: Pick<Host, 'env'>): Promise<Home> {
  const home = await homeOf(start, host);
  if (!home.elsewhere?.isMain || !existsSync(start.spec.dir)) return home;
  return { place: start, ...(home.run && { run: home.run }) };
}

/** Words for people that say which other tree was looked at. */
export function elsewhereLine({ dir, isMain }: Pick<ListedWorktree, 'dir' | 'isMain'>): string {
  return `In the ${isMain ? 'main ' : ''}worktree ${dir}`;
}

/** Says which other tree was looked at; nothing of the own one. */
export function notifyElsewhere({ elsewhere }: Home, { notify }: Pick<Host, 'notify'>): void {
  if (elsewhere !== undefined) notify(`${elsewhereLine(elsewhere)}:`);
}

/** The command that goes on with the run of a spec, by default that of its tasks, from where we were started. */
export function continueCommand({ place, elsewhere }: Home, run?: Pick<RunState, 'planning'>): string {
  const { operand, isSingleFile } = place.spec;
  const verb = run?.planning === undefined ? 'implement' : 'start';
  if (elsewhere === undefined) return commandLine('specloop', verb, operand);
  // Planning goes on where it was, wherever the command is run.
  if (!elsewhere.isMain) return commandLine('specloop', verb, operand, ...(verb === 'start' ? [] : ['--worktree']));
  // A path is taken from the folder that the command is run in.
  const there = isSingleFile ? specKey(place.spec) : operand;
  return commandLine('specloop', verb, there, '--cwd', elsewhere.dir);
}

/** The tree on a branch. One that is on none for the moment, as in a rebase, is known by what is written down of it. */
function holderOf(place: SpecPlace, trees: readonly ListedWorktree[], branch: string): ListedWorktree | undefined {
  const usable = trees.filter(({ folder }) => folder === 'whole');
  const record = readWorktreeRecord(privateFolderOf(place));
  return (
    usable.find((tree) => tree.branch === branch) ??
    usable.find((tree) => tree.branch === undefined && record?.branch === branch && record.dir === tree.dir)
  );
}

async function isMerged({ repository: { root } }: SpecPlace, branch: string, env: Host['env']): Promise<boolean> {
  const git = gitCli({ root, env });
  const [tip, { head }] = await Promise.all([git.readRef(`refs/heads/${branch}`), git.inspect({ dir: root })]);
  return tip !== undefined && head !== undefined && (await git.isAncestor({ dir: root }, tip, head));
}

/** A tree without the spec, or a damaged one, is no place to read from. */
function nothingForUser(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error;
}
