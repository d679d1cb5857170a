import type { PlannedTask } from '../../core/plan/data/planned-task.ts';
import type { Edited } from '../../core/plan/edit/edit.ts';
import { addCompleted, fillHash } from '../../core/progress/completed.ts';
import type { LifecycleProof } from '../../core/pull-request/event.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { filledIn } from '../../core/run/record/commit-message.ts';
import { progressAtEnd } from '../../core/run/record/progress-text.ts';
import { asItIs, editPlan } from '../attempt/edit-plan.ts';
import { blocked } from '../attempt/make-commit.ts';
import { runCommand } from '../attempt/verify.ts';
import { commitPlan } from '../effects/commit-plan.ts';
import { recordTrailers } from '../lane/world.ts';
import { describe } from './open-pull-request.ts';
import { takePlanHere } from './plan-here.ts';
import type { StepEvent, StepScene } from './scene.ts';

const OUTPUT_BYTES_MAX = 8 * 1024;
const SHORT_HASH = 8;

type RecordOutcome = StepEvent | Extract<RunEvent, { type: 'commit-blocked' | 'waited' }>;

/** The newest entry of the progress file that lacks its hash: a commit cannot name itself (R-ADV-1). */
interface Named {
  readonly id: string;
  readonly hash: string;
}

/**
 * Ticks the lifecycle's own tasks, each in a commit of its own, once all that they speak of holds and their commands pass
 * (R-PR-9); then writes the last notes of the run, so that nothing is left to commit after the checks of this push.
 */
export async function recordLifecycle(scene: StepScene): Promise<RecordOutcome> {
  const { state } = scene;
  const done: LifecycleProof[] = [];
  let newest: Named | undefined;
  const own = state.tasks.filter((task) => task.isOfLifecycle && !task.checked);
  const changed = await takePlanHere(scene);
  if (changed !== undefined) return changed;
  for (const task of own) {
    const proof = await proofOf(task, scene);
    if (proof === 'cancelled') return { type: 'waited' };
    if ('type' in proof) return proof;
    done.push(proof);
    const ticked = await tickOne(task, scene, newest);
    if (typeof ticked !== 'string') return ticked;
    newest = { id: task.key, hash: ticked.slice(0, SHORT_HASH) };
  }
  const last = await lastNotes(scene, newest);
  if (typeof last !== 'string') return last;
  if (state.pullRequest?.seen) await describe(scene, state.pullRequest.seen.pullRequest);
  return { type: 'lifecycle-recorded', head: last, done };
}

async function proofOf(
  { key, verifyCommand: command }: PlannedTask,
  { world, hosting }: StepScene,
): Promise<LifecycleProof | Extract<StepEvent, { type: 'lifecycle-unproved' }> | 'cancelled'> {
  if (command === null) return { task: key };
  const own = { ...world, environment: hosting.environment, commandNetwork: 'allow' } as const;
  const run = await runCommand(own, { command, log: `${key}/lifecycle.verify.log`, outputBytesMax: OUTPUT_BYTES_MAX });
  if (run === 'cancelled') return run;
  const { output, exitCode } = run;
  if (exitCode !== 0) return { type: 'lifecycle-unproved', task: key, command, output };
  return { task: key, command, output };
}

/** One task's box and its entry, in one commit; resolves with it. */
async function tickOne(
  task: PlannedTask,
  { state, world }: StepScene,
  newest: Named | undefined,
): Promise<string | Extract<RunEvent, { type: 'commit-blocked' }>> {
  const { spec, files } = world;
  const edited = await editPlan(world, [task.key], (plan): Edited => {
    const found = plan.tasks.find(({ key }) => key === task.key);
    return found === undefined || found.checked ? asItIs(plan) : spec.format.tick(plan, found);
  });
  if (!edited.ok) throw new Error(`Task ${task.id} can't be ticked: ${edited.reason}`);
  const { key: id, title } = task;
  const values = { index: state.tasks.findIndex((one) => one.key === task.key), spec: spec.name, task: task.id };
  const message = filledIn(world.commits.task, values);
  const progress = addCompleted(withHash(await files.read(spec.progressFile), newest), { id, title });
  const trailers = recordTrailers(spec, { id: task.id, attempt: 1 });
  const done = await commitPlan(state, world, { plan: edited.plan, progress, message, trailers });
  return done.how === 'blocked' ? blocked(done.done, done.cause, { message }) : done.head;
}

function withHash(text: string | undefined, newest: Named | undefined): string {
  return newest === undefined ? (text ?? '') : fillHash(text ?? '', newest);
}

/** The notes with which a run ends; resolves with the newest commit. */
async function lastNotes(
  { state, world }: StepScene,
  newest: Named | undefined,
): Promise<string | Extract<RunEvent, { type: 'commit-blocked' }>> {
  const { files, spec, plan } = world;
  const before = await files.read(spec.progressFile);
  const after =
    before === undefined || state.policy.bookkeeping === 'agent'
      ? before
      : progressAtEnd(state, withHash(before, newest));
  const message = filledIn(world.commits.final, { spec: spec.name });
  const others = await world.renewIndex();
  const order = { plan: plan.plan, message, others, ...(after === undefined ? {} : { progress: after }) };
  const done = await commitPlan(state, world, order);
  return done.how === 'blocked' ? blocked(done.done, done.cause, { message }) : done.head;
}
