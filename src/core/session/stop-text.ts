import { readSignals } from '../answer/signals.ts';
import type { Drafted } from '../plan/data/step.ts';
import type { Task } from '../plan/data/task.ts';
import { fenced } from '../text/fence.ts';
import { cut, oneLine, sanitise } from '../text/sanitise.ts';
import { counted } from '../text/words.ts';
import { type HookSpec, NO_REPOSITORY } from './hook-spec.ts';

/** What is said when a session is kept from ending: `reason` to the session, `systemMessage` to its user. */
export interface StopText {
  readonly reason: string;
  readonly systemMessage: string;
}

/** What is open of a plan. */
export interface OpenTasks {
  /** Index of the task to do next, and how many there are. */
  readonly at: number;
  readonly total: number;
  /** That task, or its group; none if the plan cannot be read. */
  readonly tasks: readonly Task[];
  /** What is wrong with the plan. */
  readonly problem?: string;
  /** How many boxes are open, although the state file's index is past the last task. */
  readonly pastEnd?: number;
  /** What the session said last, and how many boxes are open. */
  readonly said?: { readonly message: string; readonly open: number };
}

/** Far above any task; the prompt of the delegation has the whole of it. */
const BLOCKS_CHARS_MAX = 60_000;
const PROBLEM_CHARS_MAX = 500;
/** A signal is looked for in the end of what was said. */
const SAID_CHARS_MAX = 100_000;

const HAND_ON =
  'Give each delegation that it prints to a fresh helper, hand the final answer in with "specloop submit --token TOKEN", then run it again.';

/** Tasks are open. */
export function openTasksText(spec: HookSpec, open: OpenTasks): StopText {
  const { at, total, tasks, problem, pastEnd, said } = open;
  const where = `${at + 1}/${total}`;
  const lines = [
    `Continue spec: ${spec.name} (${where})`,
    ...(said !== undefined && claimsAll(said.message)
      ? [`You said that all tasks are done, but ${isOpen(said.open)} in ${shown(spec.planFile)}.`]
      : []),
    ...(pastEnd === undefined
      ? []
      : [`The index in ${shown(spec.stateFile)} is past the last task, but ${isOpen(pastEnd)}.`]),
    ...(problem === undefined
      ? []
      : [`${oneLine(problem, PROBLEM_CHARS_MAX)} Tell the user, who has to put it right.`]),
    ...(tasks.length === 0 ? [] : [`${tasks.length === 1 ? 'The next task' : 'The next tasks, which form a group'}:`]),
    ...(tasks.length === 0
      ? []
      : [fenced(cut(tasks.map(({ block }) => sanitise(block)).join('\n'), BLOCKS_CHARS_MAX))]),
    ...(spec.hasRepository ? [] : [NO_REPOSITORY]),
    `Run: ${spec.calls.next}`,
    `${HAND_ON} Do no task yourself and tick no box: submit does that once the work is checked.`,
  ];
  return { reason: lines.join('\n\n'), systemMessage: `specloop: ${spec.name} goes on with task ${where}` };
}

/** The state file cannot be read (R-START-5). */
export function corruptText(spec: HookSpec, problem: string): StopText {
  const file = shown(spec.stateFile);
  return {
    reason: [
      `The state of spec ${spec.name} cannot be read: ${file}: ${oneLine(problem, PROBLEM_CHARS_MAX)}.`,
      `Tell the user the two ways out: correct ${file}, or rebuild it from the plan with "${spec.calls.resetState}", which keeps the old file as a backup. Do not change it yourself.`,
      ...(spec.hasRepository ? [] : [NO_REPOSITORY]),
    ].join('\n\n'),
    systemMessage: `specloop: ${file} cannot be read`,
  };
}

/** The spec is planned without questions, and its planning is not over (R-SES-6); `by` says who plans it. */
export function planningText(spec: HookSpec, phase: Drafted, by: 'specloop' | 'another tool'): StopText {
  const lines =
    by === 'specloop'
      ? [
          ...(spec.hasRepository ? [] : [NO_REPOSITORY]),
          `Run: ${spec.calls.next}`,
          `${HAND_ON} Write no document yourself and commit none. Quick mode is on: ask nothing, and wait for no approval.`,
        ]
      : [
          `Quick mode is on: finish the phase ${phase}, then go on with the next one until the tasks are written. Ask nothing in between, and wait for no approval.`,
        ];
  return {
    reason: [`Continue spec: ${spec.name} (phase ${phase})`, ...lines].join('\n\n'),
    systemMessage: `specloop: ${spec.name} goes on with the phase ${phase}`,
  };
}

/** Read as any claim of an agent (R-DEL-4). */
function claimsAll(message: string): boolean {
  return readSignals(message.slice(-SAID_CHARS_MAX), 'executor').positive;
}

function isOpen(count: number): string {
  return `${counted(count, 'task')} ${count === 1 ? 'is' : 'are'} open`;
}

function shown(path: string): string {
  return oneLine(path, 300);
}
