import { stepId } from '../../src/core/planning/step-plan.ts';
import type { RunState } from '../../src/core/run/data/state.ts';
import { fold } from '../../src/core/run/evolve.ts';
import { questionIn } from '../../src/core/run/question.ts';
import { MemoryRuns } from '../memory/runs.ts';
import { changesOf } from '../memory/status.ts';
import { DEEDS } from './deeds.ts';
import { hashOf } from './drafting.ts';
import { hostedIsKept } from './hosted/invariants.ts';
import type { End } from './life.ts';
import { type AgentCall, GIT_FILES, PROGRESS, SPEC, STATE, TASKS, type World } from './world.ts';

/** What must hold when a life is over, whatever happened in it. */
export async function endOfLife(world: World, ends: readonly End[]): Promise<void> {
  const last = ends.at(-1);
  await journalsAreWhole(world, last);
  userIsUntouched(world);
  personIsUntouched(world);
  repositoryIsUntouched(world);
  planIsKept(world);
  workIsKept(world);
  stateFieldsSurvive(world);
  limitsHold(world);
  claimsAreTold(world);
  if (world.hosted) hostedIsKept(world, world.hosted, last);
  if (last?.how === 'over') {
    completionIsTrue(world, last.state);
    treeIsOnItsBranch(world, last.state);
    gateIsTrue(world, last.state);
    rollbackIsWhole(world, last.state);
    nothingIsLeftOver(world, last.state);
  }
  if (world.scenario.isHonest && world.asked > 0) world.violated('I6', 'A start asked a person for what it knows.');
}

/** R-GATE-1: the draft that a person is asked about is the one on disk, and each was committed once. */
function gateIsTrue(world: World, { awaitsApproval }: RunState): void {
  const last = [...world.runs.values()].at(-1)?.envelopes.at(-1)?.event;
  const { drafts = [] } = world.scenario;
  const waiting = drafts.find(({ step }) => stepId(step) === awaitsApproval);
  if (waiting !== undefined && last?.type === 'run-finished' && last.result === 'waiting') {
    const text = world.tree.files.get(`${SPEC}/${waiting.step.file}`);
    if (
      text === undefined ||
      last.wants === undefined ||
      !('gate' in last.wants) ||
      last.wants.gate.sha256 !== hashOf(text)
    )
      world.violated('R-GATE-1', 'The gate is about another draft than the one on disk.');
  }
  const isLeft = [...world.tree.files.keys()].some((path) => path.includes('/.research-'));
  if (isLeft && last?.type === 'run-finished' && last.result === 'waiting')
    world.violated('R-PLAN-2', 'A part of research was left over.');
  const subjects = [...world.repository.history(world.tip)].map(({ text }) => text.split('\n')[0]);
  for (const { commit } of drafts)
    if (subjects.filter((subject) => subject === commit).length > 1)
      world.violated('R-PLAN-2', `"${commit}" was committed more than once.`);
}

/** R-PLAN-3: once what a run made is taken away, branch and tree are as before it. */
function rollbackIsWhole(world: World, { rollback }: RunState): void {
  if (!world.scenario.isUndone) return;
  if (rollback !== 'done') world.violated('R-PLAN-3', 'What cannot be drafted was not taken away.');
  const left = changesOf(world.repository, world.tree).filter(
    ({ path }) => !world.scenario.dirty.some((own) => own.path === path),
  );
  if (world.tip !== world.first || left.length > 0)
    world.violated('R-PLAN-3', `The run was taken away, and left ${left.map(({ path }) => path).join() || 'commits'}.`);
}

/** R-VER-3: whatever agents did, a run ends on its own branch, unless it was cut off while one was at work. */
function treeIsOnItsBranch(world: World, { ended }: RunState): void {
  const { tree, branch } = world;
  if (ended?.result === 'interrupted' || ended?.result === 'fault') return;
  const on = 'branch' in tree.head ? tree.head.branch : 'a detached HEAD';
  if (on !== branch) world.violated('R-VER-3', `The tree was left on ${on} instead of ${branch}.`);
}

/** R-PAR-3: of worktrees and their branches nothing is left, unless the run was cut off while they were in use. */
function nothingIsLeftOver(world: World, { ended }: RunState): void {
  if (ended?.result === 'interrupted' || ended?.result === 'fault') return;
  const { refs, trees } = world.repository;
  const branches = [...refs.keys()].filter((ref) => ref.startsWith('refs/heads/specloop-batch/'));
  if (trees.size > 1) world.violated('R-PAR-3', 'A worktree was left over.');
  if (branches.length > 0) world.violated('R-PAR-3', `Branches were left over: ${branches.join(', ')}`);
}

/** I22, I27: journals have no gap, time does not run backwards in them, and they fold to the state that the run ended in. */
async function journalsAreWhole(world: World, last: End | undefined): Promise<void> {
  const archive = new MemoryRuns(world.runs, { spec: 'demo', clock: world.clock });
  for (const id of world.runs.keys()) {
    const { envelopes } = await archive.read(id);
    if (envelopes.some(({ seq, run }, at) => seq !== at + 1 || run !== id))
      world.violated('I22', `The journal of ${id} has a gap.`);
    if (envelopes.some(({ at }, n) => at < (envelopes[n - 1]?.at ?? '')))
      world.violated('I20', `Time runs backwards in the journal of ${id}.`);
  }
  const newest = await archive.latest();
  if (last?.how !== 'over' || newest === undefined) return;
  const folded = fold(newest.envelopes.map(({ event }) => event));
  if (plain(folded) !== plain(last.state)) world.violated('I27', 'The journal does not fold to the state of the run.');
}

function plain(state: RunState | undefined): string {
  return JSON.stringify(state, (_, value) => (value instanceof Map ? [...value] : value));
}

/** I12: what the user had uncommitted is there, as it was. */
function userIsUntouched(world: World): void {
  for (const { path, text, staged } of world.scenario.dirty) {
    if (world.tree.files.get(path) !== text) world.violated('I12', `${path} of the user was changed.`);
    if (staged && world.tree.index.get(path) !== text)
      world.violated('I12', `${path} of the user is no longer staged.`);
  }
}

/** R-VER-14: hooks, settings, branches, stash and flags of the user are as they were, whatever agents did to them. */
function repositoryIsUntouched({ repository, violations }: World): void {
  const { gitFiles, stash, refs, flags } = repository;
  for (const [path, text] of Object.entries(GIT_FILES))
    if (gitFiles.get(path) !== text) violations.push(`R-VER-14: ${path} was changed.`);
  if (!refs.has('refs/heads/precious')) violations.push("R-VER-14: A branch of the user's is gone.");
  if (stash.map(({ message }) => message).join() !== 'my idea') violations.push('R-VER-14: The stash was changed.');
  if ([...flags.values()].flat().length > 0) violations.push('R-VER-14: Changes were left hidden from git.');
}

/** I12: what a person wrote while members of a batch worked elsewhere is there, and in no commit. */
function personIsUntouched({ personal, tree, repository, tip, violations }: World): void {
  for (const [path, text] of personal) {
    if (tree.files.get(path) !== text) violations.push(`I12: ${path}, which a person wrote meanwhile, is gone.`);
    if (repository.commit(tip).files.has(path))
      violations.push(`I12: ${path}, which a person wrote meanwhile, is committed.`);
  }
}

/** I5: apart from boxes and inserted lines the plan is what its author wrote, in every commit and on disk. */
function planIsKept(world: World): void {
  const texts = [...world.repository.history(world.tip)].map(({ files }) => files.get(TASKS));
  const current = world.tree.files.get(TASKS);
  for (const text of [...new Set([...texts, current])]) {
    const own = world.hosted ? text?.replaceAll('**Do**: do build', '**Do**: build') : text;
    if (own !== undefined && !holds(own, world.scenario.plan))
      world.violated('I5', 'The plan lost a byte of its author.');
  }
  if (current === undefined) world.violated('I5', 'The plan is gone.');
}

/** Whether every line of the original stands in the text, in order, boxes aside. */
function holds(text: string, original: string): boolean {
  const lines = withoutTicks(text).split('\n');
  let at = 0;
  for (const line of withoutTicks(original).split('\n')) {
    while (at < lines.length && lines[at]?.replace(/\r$/, '') !== line.replace(/\r$/, '')) at++;
    if (at === lines.length) return false;
    at++;
  }
  return true;
}

function withoutTicks(text: string): string {
  return text.replaceAll(/\[[xX]\]/g, '[ ]');
}

/** I13: nothing that an agent made for a task is lost: it is in the tree, or a ref leads to it. */
function workIsKept(world: World): void {
  const { repository, tree } = world;
  const texts = new Set(tree.files.values());
  const seen = new Set<string>();
  for (const commit of repository.refs.values()) {
    for (const { id, files } of repository.history(commit)) {
      if (seen.has(id)) break;
      seen.add(id);
      for (const text of files.values()) texts.add(text);
    }
  }
  for (const { made, number, deed, task } of world.agentCalls) {
    // A part of research goes with the merge that names it.
    if (made !== undefined && !texts.has(made) && task.step?.topic === undefined)
      world.violated('I13', `The work of agent ${number} (${deed}) on task ${task.id} is lost.`);
  }
}

/** I11: fields of the state file that mean nothing to us survive, in order and spelling. */
function stateFieldsSurvive(world: World): void {
  const before = world.scenario.stateText;
  if (before === undefined || world.asked > 0) return;
  const archived = [...world.runs.values()].flatMap(({ records }) => records.get('ralph-state.json') ?? []);
  const current = world.tree.files.get(STATE);
  const texts = current === undefined ? archived : [...archived, current];
  const unknown = /"my.*(?=, "awaiting)/.exec(before)?.[0] ?? '';
  if (texts.length > 0 && !texts.some((text) => text.includes(unknown)))
    world.violated('I11', `Unknown fields of the state file were lost: ${texts.at(-1)}`);
}

/** I4, I16: within one run no task is tried more often than the policy says, whatever crashes came between. */
function limitsHold(world: World): void {
  attemptsAreLimited(world);
  const { maxGlobalIterations, jobs = 1 } = world.scenario.policy;
  // Members of a batch begin together, and what end-to-end tasks started is cleaned up in any case.
  if (maxGlobalIterations === undefined || jobs > 1 || world.scenario.plan.includes('VE1')) return;
  for (const [id, { envelopes }] of world.runs) {
    const called = world.agentCalls.filter(
      ({ run, role, isOvertaken }) => run === id && role !== 'reviewer' && !isOvertaken,
    ).length;
    // What trouble with the service, a question or a stop cut short does not count (R-RETRY-2, R-AGT-3, R-AGT-6).
    const cutShort = envelopes.filter(
      ({ event }) =>
        event.type === 'agent-returned' &&
        (['rate-limited', 'overloaded', 'cancelled'].includes(event.how) || questionIn(event) !== undefined),
    );
    const count = called - cutShort.length;
    if (count > maxGlobalIterations)
      world.violated('I16', `${count} attempts in run ${id}, with ${maxGlobalIterations} allowed.`);
  }
}

/** R-VER-11, R-VER-12: what is recorded in doubt was reviewed, or says so; without a change nothing is recorded at once. */
function claimsAreTold(world: World): void {
  for (const [id, { envelopes }] of world.runs) {
    const state = fold(envelopes.map(({ event }) => event));
    for (const { event } of envelopes) {
      if (event.type !== 'task-committed') continue;
      const calls = world.agentCalls.filter(({ run }) => run === id);
      const call = calls.find(({ task, attempt }) => task.key === event.task && attempt === event.attempt);
      if (call === undefined) continue;
      const isReviewed = calls.some(({ role, number }) => role === 'reviewer' && number > call.number);
      const words = (state?.remarks.get(event.task) ?? []).map(({ word }) => word);
      if (call.deed === 'good, in words of doubt' && !isReviewed && !words.includes('in doubt'))
        world.violated('R-VER-11', `Task ${call.task.id} was recorded without a word of its doubt.`);
      const isFixed = state?.tasks.some(({ fixes, checked }) => fixes === call.task.id && checked) ?? false;
      if (
        call.deed === 'idle' &&
        !isFixed &&
        isToChange(call, world) &&
        !calls.some((other) => isIdleBefore(other, call))
      )
        world.violated('R-VER-12', `Task ${call.task.id} was recorded at once, although nothing was changed.`);
    }
  }
}

function isToChange({ task, role }: AgentCall, { scenario }: World): boolean {
  const { keepFailedChanges = false, isolation } = scenario.policy;
  // Where changes are kept, or others work in the same tree, there are some.
  const isClean = !keepFailedChanges && isolation !== 'shared';
  return isClean && role === 'executor' && task.fixes === undefined && task.files.length > 0 && task.commit !== null;
}

function isIdleBefore(other: AgentCall, { task, number }: AgentCall): boolean {
  return other.task.key === task.key && other.deed === 'idle' && other.number < number;
}

function attemptsAreLimited(world: World): void {
  const max = world.scenario.policy.maxTaskIterations ?? 5;
  const counts = new Map<string, number>();
  for (const { run, task, role, how, deed, isOvertaken } of world.agentCalls) {
    if (isOvertaken || role === 'reviewer' || how === 'rate-limited' || how === 'overloaded' || how === 'cancelled')
      continue;
    if (['asked for a prerequisite', 'asked a person', 'asked questions', 'was denied a tool'].includes(deed)) continue;
    if (DEEDS[deed].isSound) continue;
    const key = `${run} ${task.id}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, count] of counts)
    if (count > max) world.violated('I4', `${count} failed attempts at ${key}, with ${max} allowed.`);
}

/** I17, I18: a run says that all is done if, and only if, every task is recorded and nothing is left uncommitted. */
function completionIsTrue(world: World, { ended }: RunState): void {
  const { repository, tree, scenario } = world;
  const { tasks } = world.planAt(world.tip);
  const open = tasks.filter(({ checked }) => !checked).map(({ id }) => id);
  if (ended?.result !== 'completed') {
    const isPrepared = [...world.runs.values()].at(-1)?.envelopes.some(({ event }) => event.type === 'run-prepared');
    if (isPrepared && !tree.files.has(STATE))
      world.violated('I18', 'The run did not complete, but its state file is gone.');
    // What a pull request still wants is another matter (R-PR-5).
    const isAll = open.length === 0 && tasks.length > 0 && scenario.policy.pullRequest === undefined;
    if (isAll && ended?.result !== 'interrupted')
      world.violated('I17', `Every task is recorded, but the run ended as ${ended?.result}: ${ended?.reason}`);
    return;
  }
  if (open.length > 0) world.violated('I17', `The run completed with open tasks: ${open.join(', ')}.`);
  const dirty = new Set(scenario.dirty.map(({ path }) => path));
  // A person who changes the plan after its last commit has it in the tree.
  if (world.planned.length > 0) dirty.add(TASKS);
  const left = changesOf(repository, tree).filter(({ path }) => !dirty.has(path) && !world.personal.has(path));
  if (left.length > 0)
    world.violated('I17', `The run completed and left changes: ${left.map(({ path }) => path).join(', ')}.`);
  if (tree.files.has(STATE)) world.violated('I18', 'The run completed and left its state file.');
  const progress = tree.files.get(PROGRESS) ?? '';
  for (const { id } of tasks.filter(({ key }) => !world.plan.tasks.find((task) => task.key === key)?.checked)) {
    const entries = progress.split('\n').filter((line) => line.startsWith(`- [x] ${id} `)).length;
    if (entries > 1) world.violated('I6', `The progress file lists task ${id} ${entries} times.`);
  }
}
