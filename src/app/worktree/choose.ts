import type { ListedWorktree } from '../../adapters/git/worktree-list.ts';
import type { WorktreeRecord } from '../../adapters/store/worktree-record.ts';
import { commandLine } from '../../core/text/command-line.ts';

/** All that decides where a spec's worktree is. */
export interface Survey {
  /** Name of the spec. */
  readonly spec: string;
  /** What is typed for it in a command. */
  readonly operand: string;
  /** Absolute path at which a worktree of the spec would be made. */
  readonly wanted: string;
  /** Whether a worktree can be made there: nothing is in the way. */
  readonly isVacant: boolean;
  readonly trees: readonly ListedWorktree[];
  readonly branches: readonly string[];
  /** The branch that a new run would get, and the commit it would begin at (R-START-2). */
  readonly fresh: { readonly branch: string; readonly at: string };
  /** The newest run that got as far as having a branch. `isMerged`: all of it is in the tree that we were started in. */
  readonly run?: { readonly branch: string; readonly isUnfinished: boolean; readonly isMerged: boolean };
  /** What is written down of the worktree that was made last. `isUntouched`: its branch is still where it was made. */
  readonly record?: WorktreeRecord & { readonly isUntouched: boolean };
}

/** Which worktree a spec runs in, or why none can be had. */
export type Choice =
  | { readonly is: 'there'; readonly dir: string; readonly branch: string; readonly isReady: boolean }
  | {
      readonly is: 'missing';
      readonly dir: string;
      readonly branch: string;
      /** The commit to make the branch at; absent for a branch that is there. */
      readonly at?: string;
      /** Worktrees that git remembers, whose folders are gone. */
      readonly forget: readonly string[];
      /** Worktrees that a crash left half made, with nothing of anybody's in them. */
      readonly remove: readonly string[];
    }
  | { readonly is: 'refused'; readonly message: string; readonly hint: string };

/** A worktree that can be had. */
export type Chosen = Exclude<Choice, { readonly is: 'refused' }>;

/** Chooses the worktree of a spec: the one it has, or the one to make for it, with its branch. */
export function chooseWorktree(survey: Survey): Choice {
  const own = ownTree(survey);
  if (own?.isMain) return heldByMain(survey, own);
  if (own !== undefined) return there(survey, own);
  const { branch, at } = branchToTake(survey);
  const { wanted, trees } = survey;
  const inTheWay = trees.filter((tree) => tree.dir === wanted || tree.branch === branch);
  const locked = inTheWay.find(
    (tree) => tree.folder === 'gone' && !isHalfMade(survey, tree) && tree.locked !== undefined,
  );
  if (locked !== undefined) return lockedAway(locked);
  const existing = inTheWay.find((tree) => tree.folder !== 'gone' && !isHalfMade(survey, tree));
  if (existing !== undefined) return taken(survey, existing);
  if (!survey.isVacant && !inTheWay.some((tree) => tree.dir === wanted)) return taken(survey);
  const remove = inTheWay.filter((tree) => isHalfMade(survey, tree)).map(({ dir }) => dir);
  const forget = inTheWay.map(({ dir }) => dir).filter((dir) => !remove.includes(dir));
  return { is: 'missing', dir: wanted, branch, forget, remove, ...(at === undefined ? {} : { at }) };
}

/**
 * The worktree that is the spec's: it has the branch of the newest run, or the branch that was made with the last
 * worktree, or it is where we would make it and on one of the spec's branches.
 */
function ownTree(survey: Survey): ListedWorktree | undefined {
  const { run, record, wanted } = survey;
  const usable = survey.trees.filter((tree) => tree.folder === 'whole' && !isHalfMade(survey, tree));
  const linked = usable.filter(({ isMain }) => !isMain);
  const ofRun = run?.isUnfinished
    ? usable.find(({ branch }) => branch === run.branch)
    : linked.find(({ branch }) => branch === run?.branch && isOfSpec(survey, branch));
  return (
    ofRun ??
    linked.find(({ branch }) => branch !== undefined && branch === record?.branch) ??
    linked.find(({ dir, branch }) => dir === wanted && isOfSpec(survey, branch))
  );
}

/** A branch as R-START-2 names those of a spec. */
function isOfSpec({ spec }: Survey, branch: string | undefined): boolean {
  // `feat-…` where a branch is called `feat`.
  const plain = [`feat/${spec}`, `feat-${spec}`].find((name) => branch?.startsWith(name));
  return plain !== undefined && /^(-\d+)?$/.test((branch ?? '').slice(plain.length));
}

/** Git was interrupted while it made it, so no one can have worked in it. */
function isHalfMade({ record }: Survey, { dir, locked }: ListedWorktree): boolean {
  return record?.stage === 'adding' && record.dir === dir && locked === 'initializing';
}

function there({ record }: Survey, { dir, branch = '' }: ListedWorktree): Choice {
  return { is: 'there', dir, branch, isReady: record?.dir !== dir || record.stage === 'ready' };
}

/** The branch of the newest run, unless that is over and merged; one that was made but not used; else a new one (R-START-2). */
function branchToTake(survey: Survey): { readonly branch: string; readonly at?: string } {
  const { run, record, trees, branches, fresh } = survey;
  const isFree = (name: string) =>
    branches.includes(name) && !trees.some(({ isMain, branch }) => isMain && branch === name);
  if (run !== undefined && isFree(run.branch) && (run.isUnfinished || (isOfSpec(survey, run.branch) && !run.isMerged)))
    return { branch: run.branch };
  if (record?.isUntouched && isFree(record.branch)) return { branch: record.branch, at: fresh.at };
  return fresh;
}

function heldByMain({ spec, operand }: Survey, { dir, branch = '' }: ListedWorktree): Choice {
  return {
    is: 'refused',
    message: `The unfinished run of ${spec} uses the main worktree, ${dir}, on the branch ${branch}.`,
    hint: `Continue it there without --worktree, or discard it with "specloop cancel ${commandLine(operand)} --remove-state".`,
  };
}

function lockedAway({ dir, locked }: ListedWorktree): Choice {
  return {
    is: 'refused',
    message: `The worktree ${dir} is missing, and git keeps it locked${locked === '' ? '' : `: ${locked}`}.`,
    hint: `Restore its folder, or remove the worktree from git with "${commandLine('git', 'worktree', 'remove', '--force', '--force', dir)}".`,
  };
}

function taken({ spec, wanted }: Survey, tree?: ListedWorktree): Choice {
  const hint = `Move it away, or create a worktree for ${spec} yourself ("git worktree add") and run the command there without --worktree.`;
  if (tree === undefined)
    return { is: 'refused', message: `The worktree of ${spec} would be ${wanted}, but something else is there.`, hint };
  if (tree.folder === 'damaged')
    return { is: 'refused', message: `${tree.dir} was a worktree of this repository, but its .git is gone.`, hint };
  const where = tree.branch === undefined ? 'a detached HEAD' : `the branch ${tree.branch}`;
  return {
    is: 'refused',
    message: `The worktree of ${spec} would be ${wanted}, but ${tree.dir} is a worktree of this repository on ${where}.`,
    hint: `Switch it back to a branch of ${spec}, move it (git worktree move) or remove it (git worktree remove), then run the command again.`,
  };
}
