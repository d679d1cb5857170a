import { type PlannedTask, planned } from '../plan/data/planned-task.ts';
import type { Plan } from '../plan/data/task.ts';
import { workdirSentence } from '../plan/data/workdir.ts';
import type { Policy } from '../policy.ts';
import { keepsApart } from '../run/batch.ts';
import { batchesAhead } from '../run/batches-ahead.ts';
import { nothingCarried } from '../run/data/carried.ts';
import type { RunState } from '../run/data/state.ts';
import { evolve } from '../run/evolve.ts';
import { isForAgents } from '../run/pull-request.ts';
import { oneLine, visibleLine } from '../text/sanitise.ts';
import { counted } from '../text/words.ts';

const TITLE_CHARS_MAX = 100;
const COMMAND_CHARS_MAX = 400;

/** A run of tasks that has not begun. */
export interface TasksAhead {
  readonly spec: { readonly name: string; readonly path: string };
  readonly plan: Plan;
  readonly policy: Policy;
  /** Names of the agents, for people. */
  readonly agents: string;
}

/** The tasks of a run in the order in which they would run, and which of them together, a line each (R-START-8). */
export function tasksAhead({ spec, plan, policy, agents }: TasksAhead): readonly string[] {
  const workdir = policy.workdir ?? '';
  const tasks = plan.tasks.map((task) => planned(task, workdir));
  const left = tasks.filter((task) => !task.checked);
  const counts = `${tasks.length - left.length} of ${counted(tasks.length, 'task')} done`;
  const limits = `at most ${policy.maxTaskIterations} attempts a task, ${policy.maxGlobalIterations} in all`;
  return [
    `${spec.name}: ${counts}; agent: ${oneLine(agents, TITLE_CHARS_MAX)}; ${limits}.`,
    ...[workdirSentence(spec.path, workdir) ?? []].flat(),
    ...[...batchesAhead(startOf(tasks, policy))].flatMap(({ batch, state }) => [
      ...batch.map((task) => `  ${line(tasks.indexOf(task), task, batch.length)}`),
      ...apartLine(state, batch),
    ]),
    ...left.filter((task) => !isForAgents(task, policy)).map((task) => `  ${ownLine(task, policy)}`),
  ];
}

/** A task that no agent gets (R-PR-9). */
function ownLine({ id, title, verifyCommand, optional }: PlannedTask, { pullRequest }: Policy): string {
  const who = optional
    ? 'optional, left out: --optional runs it'
    : pullRequest
      ? 'the pull request'
      : 'left out: no pull request';
  const verify = verifyCommand === null ? '' : ` Verify: ${visibleLine(verifyCommand, COMMAND_CHARS_MAX)}`;
  return `${id} ${visibleLine(title, TITLE_CHARS_MAX)} [${who}]${verify}`;
}

function startOf(tasks: readonly PlannedTask[], policy: Policy): RunState {
  return evolve(undefined, {
    type: 'run-started',
    policy,
    tasks,
    agents: '',
    carried: nothingCarried,
    globalIteration: 0,
  });
}

/** Why the task after a batch is not part of it, although both are marked `[P]`. */
function apartLine({ tasks, policy }: RunState, batch: readonly PlannedTask[]): readonly string[] {
  const last = batch.at(-1);
  if (last === undefined || !last.parallel || policy.jobs < 2) return [];
  const following = tasks.slice(tasks.indexOf(last) + 1).find((task) => !task.checked);
  if (!following?.parallel || following.phase !== last.phase) return [];
  const whys = batch.map((member) => keepsApart(member, following, policy.parallelOverlap));
  const why = whys.find((one) => one !== undefined);
  return why === undefined ? [] : [`     (the next task does not run in parallel: ${oneLine(why, TITLE_CHARS_MAX)})`];
}

function line(index: number, task: PlannedTask, together: number): string {
  const role = task.verify ? 'verifier' : 'executor';
  const verify =
    task.verifyCommand === null
      ? `no command (${task.verifyKind})`
      : visibleLine(task.verifyCommand, COMMAND_CHARS_MAX);
  const parallel = together > 1 ? `  (${together} in parallel)` : '';
  return `${index}. ${task.id} ${visibleLine(task.title, TITLE_CHARS_MAX)} [${role}] Verify: ${verify}${parallel}`;
}
