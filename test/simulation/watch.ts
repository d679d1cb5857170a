import { isLifecycleTask } from '../../src/core/plan/data/lifecycle.ts';
import type { Plan, Task } from '../../src/core/plan/data/task.ts';
import { stepId } from '../../src/core/planning/step-plan.ts';
import type { Committed, Git } from '../../src/ports/git.ts';
import type { MemoryTree } from '../memory/repository.ts';
import { changesOf } from '../memory/status.ts';
import { provedBy } from './checks.ts';
import { repaired } from './hooks.ts';
import { exitCodeOf } from './shell.ts';
import { type AgentCall, PROGRESS, ROOT, SPEC, STATE, TASKS, type World } from './world.ts';

type CommitOrder = Parameters<Git['commit']>[1];
type RestoreOrder = Parameters<Git['restore']>[1];

/** I3, I4, I8: what must hold when an agent starts. */
export function watchAgentStart(world: World, call: AgentCall): void {
  const { role, attempt } = call;
  const { id, key } = call.task;
  const who = `${role} on task ${id}, attempt ${attempt}`;
  if (world.living.some(({ start }) => start !== call.start))
    world.violated('I8', `${who} was started while an agent of a dead coordinator was at work.`);
  if (world.living.some(({ dir }) => dir === call.dir) && world.scenario.policy.isolation !== 'shared')
    world.violated('I8', `${who} was started where another agent was at work.`);
  const recorded = world.planAt(world.tip).tasks.find((task) => task.id === id);
  const isBooked = role === 'reviewer' && world.scenario.policy.bookkeeping === 'agent';
  if (recorded?.checked && !isBooked) world.violated('I3', `${who} was started although the task is recorded.`);
  const isWritten = [...world.runs.values()]
    .at(-1)
    ?.envelopes.some(
      ({ event: { type, ...event } }) =>
        type === 'effect-started' &&
        'effect' in event &&
        (event.effect.do === 'delegate' || event.effect.do === 'review') &&
        event.effect.task === key &&
        (event.effect.do === 'review' || event.effect.attempt === attempt),
    );
  if (!isWritten) world.violated('I4', `${who} was started before that was written down.`);
  if (role !== 'reviewer') watchAttempt(world, call, who);
  const events = [...world.runs.values()].flatMap(({ envelopes }) => envelopes.map(({ event }) => event));
  const last = events.findLast((event) => 'task' in event && event.task === key && event.type !== 'commit-slow');
  if (last?.type === 'commit-blocked')
    world.violated('R-ADV-5', `${who} was started although its work waits for a commit.`);
}

/** R-AGT-3: an agent that this run knows to be at a usage limit is not started before that has passed. */
export function watchChoice(world: World, name: string): void {
  const now = world.clock.now();
  const latest = [...world.runs.values()].at(-1)?.envelopes ?? [];
  const isLimited = latest.some(
    ({ event }) =>
      'resetsAt' in event &&
      event.agent === name &&
      event.resetsAt !== undefined &&
      Date.parse(event.resetsAt) > Date.parse(now),
  );
  if (isLimited) world.violated('R-AGT-3', `The agent ${name} was started before its usage limit had passed.`);
}

/** The number of an attempt is used again only after trouble with the agent's service, which is not the task's doing. */
function watchAttempt(world: World, call: AgentCall, who: string): void {
  const same = world.agentCalls.filter(
    ({ run, task, role, attempt }) =>
      run === call.run && task.key === call.task.key && role === call.role && attempt === call.attempt,
  );
  if (same.some(({ how }) => how !== 'rate-limited' && how !== 'overloaded'))
    world.violated('I4', `${who} has a number that was used before.`);
}

/** I1, I2, I5, I12: what must hold of every commit of the coordinator. */
export function watchCommit(world: World, dir: string, { order, done, before }: CommitSeen): void {
  if (done.how !== 'committed') return;
  const { files } = world.repository.commit(done.commit);
  for (const { path, text } of world.scenario.dirty) {
    const original = world.repository.commit(world.first).files.get(path);
    if (files.get(path) !== original) world.violated('I12', `${path} of the user was committed in ${dir} (${text}).`);
  }
  watchRecordOfDraft(world, { order, done, before });
  const [old, fresh] = [world.planAt(before), world.planAt(done.commit)];
  if (fresh.tasks.length < old.tasks.length) world.violated('I5', 'The plan of a commit has fewer tasks than before.');
  const wasDone = new Set(old.tasks.filter(({ checked }) => checked).map(({ key }) => key));
  for (const task of fresh.tasks.filter(({ key, checked }) => checked && !wasDone.has(key)))
    watchTick(world, { task, fresh, order, files });
  const isDone = new Set(fresh.tasks.filter(({ checked }) => checked).map(({ key }) => key));
  if (order.message.startsWith('chore(spec): reopen')) return;
  for (const key of wasDone) if (!isDone.has(key)) world.violated('I5', `The tick of task ${key} was taken back.`);
}

/** R-PLAN-2: a draft is recorded in a commit that holds it, and what became of questions, as it was checked, after an agent that touched nothing else. */
function watchRecordOfDraft(world: World, { order, done, before }: CommitSeen): void {
  const id = order.trailers['Specloop-Task'];
  const listed = world.scenario.drafts?.find(({ step }) => stepId(step) === id);
  if (listed === undefined || done.how !== 'committed') return;
  const [old, fresh] = [before, done.commit].map((commit) => world.repository.commit(commit).files);
  const paths = [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])];
  const changed = paths.filter((path) => old?.get(path) !== fresh?.get(path));
  const own = `${SPEC}/${listed.step.file}`;
  if (changed.filter((path) => path !== PROGRESS).join() !== own)
    world.violated('R-PLAN-2', `The commit of ${own} changed ${changed.join(', ')}.`);
  if (fresh?.get(own)?.startsWith('done:') !== true)
    world.violated('R-PLAN-2', `${own} was recorded although it is wrong.`);
}

interface CommitSeen {
  readonly order: CommitOrder;
  readonly done: Committed;
  readonly before: string;
}

interface Tick {
  readonly task: Task;
  readonly fresh: Plan;
  readonly order: CommitOrder;
  readonly files: ReadonlyMap<string, string>;
}

function watchTick(world: World, { task, fresh, order, files }: Tick): void {
  if (world.scenario.policy.bookkeeping === 'agent') return;
  if (order.trailers['Specloop-Task'] !== task.id)
    world.violated('I1', `Task ${task.id} was ticked by the commit "${order.message}".`);
  if (world.hosted && isLifecycleTask(task)) return;
  const last = world.agentCalls.findLast((call) => call.task.id === task.id && call.role !== 'reviewer');
  if (last === undefined) {
    world.violated('I1', `Task ${task.id} was recorded, but no agent ever worked on it.`);
    return;
  }
  if (last.how !== 'completed' || !last.isSound)
    world.violated('I2', `Task ${task.id} was recorded after an agent that did this: ${last.deed}.`);
  const parts = partsOf(task, fresh);
  const isSplit = last.deed === 'asked to split' && parts.length > 0;
  const proven = [...(isSplit || task.fixes !== undefined ? [] : [task]), ...completedBy(task, fresh)];
  for (const { id, verifyCommand } of proven) {
    for (const path of provedBy(verifyCommand ?? ''))
      if (files.get(path) !== world.proved.get(path))
        world.violated('R-VER-13', `Task ${task.id} was recorded with another ${path} than was proved.`);
    if (verifyCommand !== null && exitCodeOf(verifyCommand, files) !== 0)
      world.violated('I1', `Task ${task.id} was recorded, but \`${verifyCommand}\` of task ${id} fails in its commit.`);
  }
}

/** The tasks that this one was split into; a fix may have got their ids. */
function partsOf({ id }: Task, { tasks }: Plan): readonly Task[] {
  // Where a plan has no ids, the number is in the title.
  const isPart = (task: Task) =>
    [`${id}.8`, `${id}.9`].some((part) => task.id === part || task.title.endsWith(` ${part}`));
  return tasks.filter((task) => task.fixes === undefined && isPart(task));
}

/** The split task whose last part this one is; its command runs now (R-MOD-3). */
function completedBy(task: Task, plan: Plan): readonly Task[] {
  return plan.tasks.filter((whole) => {
    const parts = partsOf(whole, plan);
    return whole.checked && parts.includes(task) && parts.every(({ checked }) => checked);
  });
}

/** I13: whatever a restore takes away is kept under a ref. */
export function watchRestore(world: World, dir: string, { commit, exclude, unstage = [] }: RestoreOrder): void {
  const tree = world.repository.tree(dir);
  const goal = world.repository.commit(commit).files;
  const lost = changesOf(world.repository, tree).filter(
    ({ path }) =>
      ![...exclude, ...unstage].includes(path) && tree.files.has(path) && goal.get(path) !== tree.files.get(path),
  );
  watchLost(world, tree, lost);
  const head = world.repository.headOf(tree);
  if (head !== undefined && head !== commit && !isReachable(world, head))
    world.violated('I13', `The commit ${head.slice(0, 8)} was taken away before it was kept.`);
}

/** I13: commits that an agent made stay reachable when they become loose changes; in a worktree there was only its own work. */
export function watchUnwind(world: World, dir: string): void {
  const head = world.repository.headOf(world.repository.tree(dir));
  if (dir === ROOT && head !== undefined && !isReachable(world, head))
    world.violated('I13', `The commit ${head.slice(0, 8)} was taken apart before it was kept.`);
}

/** I13: the same for a worktree that goes. */
export function watchRemoval(world: World, dir: string): void {
  const tree = world.repository.trees.get(dir);
  if (tree === undefined) return;
  const work = changesOf(world.repository, tree).filter(({ path }) => path !== TASKS && path !== PROGRESS);
  watchLost(world, tree, work);
}

function watchLost(world: World, tree: MemoryTree, lost: readonly { readonly path: string }[]): void {
  for (const { path } of lost) {
    const text = tree.files.get(path);
    if (text === undefined || text === world.written.get(path)) continue;
    const forms = [text, repaired(text)];
    const isKept = [...world.repository.refs].some(([, id]) =>
      forms.includes(world.repository.commit(id).files.get(path) ?? ''),
    );
    if (!isKept) world.violated('I13', `${path} was taken away before it was kept.`);
  }
}

function isReachable(world: World, commit: string): boolean {
  return [...world.repository.refs].some(
    ([ref, id]) =>
      ref !== `refs/heads/${world.branch}` && [...world.repository.history(id)].some((found) => found.id === commit),
  );
}

/**
 * I10: the state file never says more than the branch proves. While work is handed over, who has it may have moved the branch;
 * what was recorded on it before is then the measure.
 */
export function watchStateFile(world: World, text: string): void {
  const { taskIndex } = JSON.parse(text) as { readonly taskIndex?: number };
  const isOut = world.scenario.session !== undefined || world.scenario.isDriven === true;
  const proven = Math.max(provenAt(world, world.tip), isOut ? provenAt(world, recordedTip(world)) : 0);
  if (taskIndex !== undefined && taskIndex > proven)
    world.violated('I10', `${STATE} says that ${taskIndex} tasks are done, ${TASKS} in the branch says ${proven}.`);
}

/** How many tasks from the first one on are done at a commit; all, where it holds no plan. */
function provenAt(world: World, commit: string): number {
  const { tasks } = world.planAt(commit);
  const open = tasks.findIndex(({ checked }) => !checked);
  if (tasks.length === 0) return Number.POSITIVE_INFINITY;
  return open === -1 ? tasks.length : open;
}

function recordedTip({ runs, tip }: World): string {
  const events = [...runs.values()].at(-1)?.envelopes.map(({ event }) => event) ?? [];
  const recorded = events.findLast((event) => event.type === 'task-committed');
  return recorded?.type === 'task-committed' ? recorded.head : tip;
}
