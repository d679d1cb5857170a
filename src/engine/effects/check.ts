import { type PlannedTask, planned } from '../../core/plan/data/planned-task.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { judgedOf } from '../../core/run/judged-of.ts';
import { isBookkeeping, isPrivate } from '../../core/spec-files.ts';
import { concerns, isTestFile } from '../../core/verify/concerns.ts';
import type { Evidence } from '../../core/verify/evidence.ts';
import type { Fingerprint } from '../../core/verify/fingerprint.ts';
import { mayVerify } from '../../core/verify/judge.ts';
import type { Noticed } from '../../core/verify/noticed.ts';
import type { Change, Inspection } from '../../ports/git.ts';
import { putCutOffBack } from '../attempt/cut-off-check.ts';
import { changedDocuments } from '../attempt/documents.ts';
import { measureWork } from '../attempt/measure-work.ts';
import { type Proven, prove } from '../attempt/prove.ts';
import { baseIn, pathsOfOthers } from '../attempt/shared-tree.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import { findPlace } from '../lane/member.ts';
import { readIfText } from '../lane/read-if-text.ts';
import type { World } from '../lane/world.ts';
import { outOfScope, protectedPaths } from '../watch/scope.ts';
import { undoReview } from './review.ts';
import { unreadable } from './set-aside.ts';

const CHANGED_FILES_MAX = 200;
const PATCH_BYTES_MAX = 200_000;

/** Measures what an agent left: plan, state, repository, files, and the Verify command run by ourselves (R-VER-3, R-VER-5). */
export async function check(
  { task: key, attempt }: Extract<Effect, { do: 'check' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const task = taskOf(state, key);
  const place = await findPlace(world, key);
  if (place === undefined) return { type: 'work-lost', task: key, attempt };
  await undoReview({ task: key, attempt }, state, place);
  const judged = judgedOf(state, key);
  const base = baseIn(world.lane, judged.base);
  const measured = await measureAfterCutOff(state, place, { task, attempt, base }).catch(unreadable(world));
  if (measured === 'unreadable') return { type: 'work-lost', task: key, attempt };
  const { evidence, tasks, work, now } = measured;
  const checked = { type: 'task-checked', task: key, attempt, ...(tasks && { tasks }) } as const;
  if (!mayVerify(evidence, judged)) return { ...checked, evidence };
  const order = { key, attempt, commands: judged.commands, base, work, before: now };
  const proven = await prove(place, state, order).catch(unreadable(world));
  if (proven === 'unreadable') return { type: 'work-lost', task: key, attempt };
  if (proven === 'cancelled') return { type: 'check-cancelled', task: key, attempt };
  const uncovered = evidence.uncovered ?? [];
  world.proofs.keep({ key, attempt }, { work: proven.work, uncovered, staged: proven.staged });
  // A command may run what the agent wrote: what it brings into the plan is looked at like what the agent brought.
  const { found, tasks: all = tasks } = await reconcilePlan(place, planOptions(world, key));
  const proved = withPlan(withProof(place, evidence, proven), found);
  return { ...checked, ...(all && { tasks: all }), evidence: withNoticed(proved, proven.noticed) };
}

function withNoticed(evidence: Evidence, { violations, concerns: more }: Noticed): Evidence {
  return { ...evidence, concerns: [...evidence.concerns, ...more], ...(violations.length > 0 && { violations }) };
}

function withPlan(evidence: Evidence, found: Evidence['plan']): Evidence {
  const { violations, additions, ownTicked } = evidence.plan;
  const plan = {
    violations: [...new Set([...violations, ...found.violations])],
    additions: [...new Set([...additions, ...found.additions])],
    ownTicked: ownTicked || found.ownTicked,
  };
  return { ...evidence, plan };
}

/** Protected files are looked at once more after the commands, which may have written them (R-VER-13). */
function withProof(world: World, evidence: Evidence, { verify, proof, work, outside }: Proven): Evidence {
  const made = [...work.keys()].filter((path) => !evidence.changedFiles.includes(path));
  const isWhole = evidence.changedFiles.length === evidence.changedFilesTotal;
  return {
    ...evidence,
    ...(isWhole && {
      changedFiles: [...evidence.changedFiles, ...made].slice(0, CHANGED_FILES_MAX),
      changedFilesTotal: work.size,
    }),
    protectedFiles: [...new Set([...evidence.protectedFiles, ...protectedPaths([...made, ...outside], world.protect)])],
    verify,
    ...(Object.keys(proof).length > 0 && { proof }),
  };
}

interface Measured {
  readonly evidence: Evidence;
  readonly tasks?: readonly PlannedTask[];
  readonly work: Fingerprint;
  readonly now: Inspection;
}

interface CheckOrder {
  readonly task: PlannedTask;
  readonly attempt: number;
  readonly base: string;
}

/** Measures without what an earlier check of the attempt, which was interrupted, left in the tree. */
async function measureAfterCutOff(state: RunState, world: World, order: CheckOrder): Promise<Measured> {
  const notes = await putCutOffBack(world, state, { key: order.task.key, attempt: order.attempt });
  const measured = await measure(state, world, order);
  const { evidence } = measured;
  return { ...measured, evidence: { ...evidence, concerns: [...notes, ...evidence.concerns] } };
}

async function measure(state: RunState, world: World, { task, attempt, base }: CheckOrder): Promise<Measured> {
  const { git, tree } = world;
  const { policy } = state;
  const plan = await reconcilePlan(world, planOptions(world, task.key));
  const stateFileTouched = await world.stateFile.isTouched();
  const now = await git.inspect(tree);
  const { head, branch, operation, changes } = now;
  const moved = head !== base;
  const paths = moved ? await git.changedSince(tree, base) : changes.map(({ path }) => path);
  const ofOthers = new Set(pathsOfOthers(state, world.lane, { key: task.key, paths }));
  const ours = paths.filter((path) => !isBookkeeping(path, world.spec) && !ofOthers.has(path));
  const { work, uncovered, unrecordable } = await measureWork(world, { task, attempt, base, paths: ours, now });
  const changed = [...work.keys()];
  const evidence: Evidence = {
    repository: {
      ...(branch === undefined ? {} : { branch }),
      ...(world.ownBranch === undefined ? {} : { own: world.ownBranch }),
      head: head ?? '',
      ...(operation === undefined ? {} : { operation }),
      keepsHistory: !moved || (head !== undefined && (await git.isAncestor(tree, base, head))),
    },
    plan: { ...plan.found, violations: [...plan.found.violations, ...(await privateFilesIn(world, base, paths))] },
    stateFileTouched,
    changedFiles: changed.slice(0, CHANGED_FILES_MAX),
    changedFilesTotal: changed.length,
    ...scopeOf(policy.scope === 'off' ? [] : outOfScope(changed, task)),
    protectedFiles: [
      ...new Set([...protectedPaths(changed, world.protect), ...changedDocuments(world, changed, task)]),
    ].slice(0, CHANGED_FILES_MAX),
    concerns: [
      ...(await lookForConcerns(world, { task, base, changed, deleted: deletedIn(changes) })),
      ...(await lostProgress(world)),
    ],
    uncommittedSpecFiles:
      policy.bookkeeping === 'agent'
        ? changes.map(({ path }) => path).filter((path) => isBookkeeping(path, world.spec))
        : [],
    verify: [],
    ...(unrecordable.length > 0 && { unrecordable: unrecordable.slice(0, CHANGED_FILES_MAX) }),
    ...(uncovered.length > 0 && { uncovered }),
    ...(changed.length === 0 && (await rewrittenIn(world, { key: task.key, attempt }))),
  };
  return { evidence, ...(plan.tasks ? { tasks: plan.tasks } : {}), work, now };
}

/** Without a change it is asked whether files were written at all. Others that share the tree may have written them. */
async function rewrittenIn(world: World, attempt: AttemptKey): Promise<Pick<Evidence, 'rewritten'>> {
  const beganAt = world.proofs.beganAt(attempt);
  if (beganAt === undefined || world.lane.kind === 'shared') return {};
  const paths = await world.rewritten(world.tree, beganAt);
  const rewritten = paths.filter((path) => !isBookkeeping(path, world.spec));
  return rewritten.length > 0 ? { rewritten: rewritten.slice(0, CHANGED_FILES_MAX) } : {};
}

/** Shortens a long list, and says how long it was. */
function scopeOf(paths: readonly string[]): Pick<Evidence, 'outOfScope' | 'outOfScopeTotal'> {
  if (paths.length <= CHANGED_FILES_MAX) return { outOfScope: paths };
  return { outOfScope: paths.slice(0, CHANGED_FILES_MAX), outOfScopeTotal: paths.length };
}

/** Private files that were forced into git. One that was tracked before is a person's choice. */
async function privateFilesIn(
  { git, tree }: World,
  base: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const forced: string[] = [];
  for (const path of paths.filter(isPrivate)) {
    if ((await git.fileAt(tree, base, path)) === undefined) forced.push(`the private file ${path} was added to git`);
  }
  return forced;
}

/** What an attempt took out of the progress file is put back, and does not count against the task. */
async function lostProgress({ progress }: World): Promise<readonly string[]> {
  const mended = await progress.mend();
  return mended === undefined ? [] : [mended];
}

function deletedIn(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ path, kind }) => (kind === 'deleted' ? [path] : []));
}

interface Changed {
  readonly task: PlannedTask;
  readonly base: string;
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

/** Only changes to tests need a look at their text. */
async function lookForConcerns(
  { git, tree, plan }: World,
  { task, base, changed, deleted }: Changed,
): Promise<readonly string[]> {
  const tests = changed.filter(isTestFile);
  const commands = plan.plan.tasks.flatMap(({ verifyCommand }) => verifyCommand ?? []);
  const unnamed = new Set(outOfScope([...changed], { files: task.files, filesKnown: true }));
  return concerns({
    changed,
    deleted,
    commands,
    testPatch: tests.length === 0 ? '' : await git.diffSince(tree, base, { bytesMax: PATCH_BYTES_MAX, paths: tests }),
    isNamed: (path) => !unnamed.has(path),
  });
}

/** In a shared tree other members may have ticked their own boxes. */
function planOptions({ lane }: World, key: string): { readonly own: readonly string[]; readonly isAlone: boolean } {
  return { own: lane.kind === 'shared' ? lane.members : [key], isAlone: lane.kind !== 'worktree' };
}

/** What someone did to the plan in the meantime; additions without a violation become part of the plan (R-VER-3). */
async function reconcilePlan(
  world: World,
  options: { readonly own: readonly string[]; readonly isAlone: boolean },
): Promise<{ readonly found: Evidence['plan']; readonly tasks?: readonly PlannedTask[] }> {
  const { plan, files } = world;
  const { format } = world.spec;
  const putBack = await files.takeBack();
  const after = await readIfText(files, format.file);
  const { additions, ownTicked, plan: accepted, ...changed } = format.reconcile(plan.plan, after, options);
  const violations = [...putBack, ...changed.violations];
  const found = { violations, additions, ownTicked: ownTicked.length > 0 };
  if (violations.length > 0 || additions.length === 0 || world.lane.kind === 'worktree') return { found };
  plan.accept(accepted);
  return { found, tasks: accepted.tasks.map((task) => planned(task, world.workdir)) };
}
