import type { Preview } from '../../app/start/order.ts';
import { unpassedLines } from '../../app/validate/unpassed.ts';
import { type PlannedTask, planned } from '../../core/plan/data/planned-task.ts';
import { workdirSentence } from '../../core/plan/data/workdir.ts';
import type { Policy } from '../../core/policy.ts';
import { keepsApart } from '../../core/run/batch.ts';
import { batchesAhead } from '../../core/run/batches-ahead.ts';
import { nothingCarried } from '../../core/run/data/carried.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { evolve } from '../../core/run/evolve.ts';
import { isForAgents } from '../../core/run/pull-request.ts';
import { oneLine, visibleLine } from '../../core/text/sanitise.ts';
import { dialectNotes } from '../../core/view/dialect-notes.ts';
import { planNotes } from '../../core/view/plan-notes.ts';
import type { Surroundings } from '../shared/command.ts';

const TITLE_CHARS_MAX = 100;
const COMMAND_CHARS_MAX = 400;

/** Prints the order in which the tasks would run, and which of them together (R-START-8). */
export function printPreview({ stdout, env }: Pick<Surroundings, 'stdout' | 'env'>, preview: Preview): void {
  const { place, plan, policy, agents } = preview;
  const { spec, loaded } = place;
  const tasks = plan.tasks.map((task) => planned(task, policy.workdir ?? ''));
  const left = tasks.filter((task) => !task.checked).length;
  stdout.write(
    `${spec.name}: ${tasks.length - left} of ${tasks.length} tasks done; agent: ${oneLine(agents, TITLE_CHARS_MAX)}; at most ${policy.maxTaskIterations} attempts a task, ${policy.maxGlobalIterations} in all.\n`,
  );
  const where = workdirSentence(spec.path, policy.workdir ?? '');
  if (where !== undefined) stdout.write(`${where}\n`);
  for (const { batch, state } of batchesAhead(startOf(tasks, policy))) {
    for (const task of batch) stdout.write(`  ${line(tasks.indexOf(task), task, batch.length)}\n`);
    const apart = whyApart(state, batch);
    if (apart !== undefined)
      stdout.write(`     (the next task does not run in parallel: ${oneLine(apart, TITLE_CHARS_MAX)})\n`);
  }
  for (const own of tasks.filter((task) => !task.checked && !isForAgents(task, policy)))
    stdout.write(`  ${ownLine(own, policy)}\n`);
  for (const told of unpassedLines(plan, { env, settings: loaded.settings })) stdout.write(`${told}\n`);
  for (const note of dialectNotes(plan, policy, { isForced: spec.isForced })) stdout.write(`${note}\n`);
  for (const note of planNotes(plan)) stdout.write(`${note}\n`);
  stdout.write('Nothing was changed.\n');
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
function whyApart({ tasks, policy }: RunState, batch: readonly PlannedTask[]): string | undefined {
  const last = batch.at(-1);
  if (last === undefined || !last.parallel || policy.jobs < 2) return undefined;
  const following = tasks.slice(tasks.indexOf(last) + 1).find((task) => !task.checked);
  if (!following?.parallel || following.phase !== last.phase) return undefined;
  return batch.map((member) => keepsApart(member, following, policy.parallelOverlap)).find((why) => why !== undefined);
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
