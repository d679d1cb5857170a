import { originOf } from '../../core/plan/data/lifecycle.ts';
import { planned } from '../../core/plan/data/planned-task.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { Edited } from '../../core/plan/edit/edit.ts';
import { sectionNumber } from '../../core/pull-request/ids.ts';
import { written } from '../../core/pull-request/origin.ts';
import type { ForgeFinding, PullRequestStep } from '../../core/pull-request/step.ts';
import { findingBlock, type TaskFacts } from '../../core/pull-request/task-text.ts';
import { commandInLog } from '../../core/pull-request/verify.ts';
import { mayBeAdded } from '../../core/run/added-command.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { filledIn } from '../../core/run/record/commit-message.ts';
import { addedTo, asItIs, editPlan } from '../attempt/edit-plan.ts';
import { noted } from '../attempt/leftovers.ts';
import { blocked } from '../attempt/make-commit.ts';
import { commitPlan } from '../effects/commit-plan.ts';
import { takePlanHere } from './plan-here.ts';
import type { StepEvent, StepScene } from './scene.ts';

const LOG_CHARS_MAX = 200_000;

/** A task that is to be added to the section of the lifecycle. `plainBlock` quotes nothing of what others wrote. */
export interface NewTask {
  readonly id: string;
  readonly from: string;
  readonly block: string;
  readonly plainBlock: string;
}

/**
 * Plans one task for each finding, in one commit (R-PR-2, R-PR-3). What is in the plan already is not added twice. A person
 * may have changed the plan while the forge was asked: that is taken first, and the findings are looked for again.
 */
export async function planFindings(
  { findings }: Extract<PullRequestStep, { step: 'plan' }>,
  scene: StepScene,
): Promise<StepEvent | Extract<RunEvent, { type: 'commit-blocked' }>> {
  const tasks: NewTask[] = [];
  for (const finding of findings) {
    const facts = await factsOf(finding, scene);
    const { log: _log, ...plain } = facts;
    tasks.push({
      id: finding.id,
      from: written(finding.origin),
      block: findingBlock(finding, facts),
      plainBlock: findingBlock(withoutWords(finding), plain),
    });
  }
  return (await takePlanHere(scene)) ?? (await addTasks(tasks, scene));
}

/** Adds tasks to the plan and commits it; also where they are there already. */
export async function addTasks(
  tasks: readonly NewTask[],
  { state, world }: StepScene,
): Promise<StepEvent | Extract<RunEvent, { type: 'commit-blocked' }>> {
  const section = { number: sectionNumber(state.tasks) };
  const edited = await editPlan(world, [], (plan) =>
    tasks.reduce<Edited>((so, task) => (so.ok ? addOne(so.plan, task, { section, world }) : so), asItIs(plan)),
  );
  if (!edited.ok) throw new Error(`The tasks can't be written into the plan: ${edited.reason}`);
  const message = filledIn(world.commits.fix, {
    spec: world.spec.name,
    task: tasks.map(({ id }) => id).join(', '),
  });
  const done = await commitPlan(state, world, { plan: edited.plan, message });
  if (done.how === 'blocked') return blocked(done.done, done.cause, { message });
  const made = tasks.flatMap(({ from }) => done.plan.tasks.find((task) => originOf(task) === from) ?? []);
  return {
    type: 'tasks-planned',
    inserted: made.map((task) => ({ at: task.index, tasks: [planned(task, world.workdir)] })),
    ...addedTo(edited),
    ...addedTo(done),
    head: done.head,
    ...noted(done.notes),
  };
}

function addOne(
  plan: Plan,
  { from, block, plainBlock }: NewTask,
  { section, world }: { readonly section: { readonly number: number }; readonly world: StepScene['world'] },
): Edited {
  if (plan.tasks.some((task) => originOf(task) === from)) return asItIs(plan);
  const { format } = world.spec;
  const added = format.addToLifecycle(plan, section, block);
  return added.ok ? added : format.addToLifecycle(plan, section, plainBlock);
}

/**
 * A check has a log, which may tell the command that failed: it proves the fix, if it is trusted. Else the tests of the project
 * do; without them, the check itself.
 */
async function factsOf(finding: ForgeFinding, { state, world, hosting }: StepScene): Promise<TaskFacts> {
  const { testCommand } = state.policy;
  if (finding.kind !== 'check' || finding.job === undefined) return { verify: writableCommand(testCommand) };
  const found = await hosting.forge.logOf(finding.job, { charsMax: LOG_CHARS_MAX });
  const log = found === undefined ? undefined : world.redact(found);
  const command = log === undefined ? undefined : commandInLog(log, await hosting.workflows());
  const known = command !== undefined && mayBeAdded(state, command) ? command : testCommand;
  return { verify: writableCommand(known), log };
}

/** A command that a code span can hold. */
function writableCommand(command: string | undefined): string | undefined {
  return command === undefined || /[`\r\n]/.test(command) ? undefined : command;
}

function withoutWords(finding: ForgeFinding): ForgeFinding {
  switch (finding.kind) {
    case 'check': {
      const { summary: _summary, ...rest } = finding;
      return rest;
    }
    case 'thread': {
      const { hunk: _hunk, ...thread } = finding.thread;
      return { ...finding, thread: { ...thread, comments: thread.comments.map(wordless) } };
    }
    case 'review':
      return { ...finding, review: wordless(finding.review) };
  }
}

function wordless<C extends { readonly body: string }>(comment: C): C {
  return { ...comment, body: '' };
}
