import { documentsOf } from '../../planning/steps.ts';
import type { ReviewStatus, RunState } from '../../run/data/state.ts';
import { isForAgents } from '../../run/pull-request.ts';
import { commandLine } from '../../text/command-line.ts';
import { sanitise } from '../../text/sanitise.ts';
import { counted, durationText, idText, spentText } from '../../text/words.ts';
import { unreachable } from '../../unreachable.ts';
import { draftsNext, planningGoesOn } from '../planning-command.ts';
import { unitsOf } from '../sentences/units.ts';
import type { KeptWork, Tally } from './tally.ts';

type EndResult = NonNullable<RunState['ended']>['result'];

const KEPT_MAX = 10;
const LINE_CHARS_MAX = 400;
/** A reason may quote the output of a command: its beginning says what happened, its end what to do. */
const REASON_LINES = { first: 12, last: 24 };

/** A run that is over, and the spec it was for. */
export interface OverRun {
  readonly spec: string;
  /** What is typed for the spec in a command; by default its name. */
  readonly operand?: string;
  readonly state: RunState;
  readonly tally: Tally;
  /** What takes the run up again; by default `specloop implement` with the operand. */
  readonly command?: string;
  /** Where a run worked that has a worktree of its own; once it is done, how to bring the work home and take the worktree away. */
  readonly worktree?: { readonly dir: string; readonly merge?: string; readonly remove?: string };
}

/**
 * What a person needs to know at the end of a run, as lines for stderr. The last line says what to do next (R-UX-4),
 * unless all is done. A run that is not over is summed up as interrupted.
 */
export function summary(run: OverRun): readonly string[] {
  const { spec, state, tally } = run;
  const { result, reason } = state.ended ?? { result: 'interrupted', reason: '' };
  // What was left out is said even where all that was asked for is done.
  const isAll = state.tasks.every(({ checked }) => checked);
  const told = result === 'completed' && isAll ? [] : reasonLines(reason);
  return [
    `${spec}: ${HEADLINES[result]} ${totals(state, tally)}.`,
    ...told,
    ...reviewLines(state),
    ...remarkLines(state),
    ...keptLines(run, reason),
    ...nextLines(run, result),
  ];
}

const HEADLINES: Readonly<Record<EndResult, string>> = {
  completed: 'complete.',
  stuck: 'stuck.',
  limit: 'stopped at a limit.',
  waiting: 'waiting for a person.',
  abandoned: 'abandoned: the branch was moved.',
  interrupted: 'interrupted.',
  fault: 'stopped by an error.',
};

function totals(state: RunState, { activeMs, attempts, rejectedClaims }: Tally): string {
  const { done, total, noun } = unitsOf(state);
  return [
    `${done} of ${counted(total, noun)} done`,
    counted(attempts, 'attempt'),
    ...(rejectedClaims > 0 ? [counted(rejectedClaims, 'rejected claim')] : []),
    durationText(activeMs),
    ...[spentText(state.spent) ?? []].flat(),
  ].join(', ');
}

function reasonLines(reason: string): readonly string[] {
  const lines = sanitise(reason, { charsPerLineMax: LINE_CHARS_MAX })
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const { first, last } = REASON_LINES;
  return lines.length <= first + last ? lines : [...lines.slice(0, first), '[…]', ...lines.slice(-last)];
}

/** Work that no reviewer passed stays visible (R-VER-7). */
function reviewLines({ reviews, tasks }: RunState): readonly string[] {
  const ids = (status: ReviewStatus) =>
    tasks.filter(({ key }) => reviews.get(key)?.status === status).map(({ id }) => idText(id));
  return (['accepted with findings', 'unreviewed'] as const).flatMap((status) => {
    const found = ids(status);
    return found.length === 0
      ? []
      : [`${status === 'unreviewed' ? 'Unreviewed' : 'Accepted with findings'}: ${found.join(', ')}.`];
  });
}

/** What was recorded although its proof lacks something stays visible (R-VER-11). */
function remarkLines({ remarks, tasks }: RunState): readonly string[] {
  const found = tasks.flatMap(({ key, id }) => (remarks.get(key) ?? []).map(({ word }) => ({ word, id: idText(id) })));
  return [...new Set(found.map(({ word }) => word))].map((word) => {
    const ids = found.filter((remark) => remark.word === word).map(({ id }) => id);
    return `${word.charAt(0).toUpperCase()}${word.slice(1)}: ${ids.join(', ')}.`;
  });
}

/** The refs that the reason does not name anyway. */
function keptLines({ spec, state, tally }: OverRun, reason: string): readonly string[] {
  const kept = tally.kept.filter(({ ref }) => !reason.includes(ref));
  if (kept.length === 0) return [];
  const ofAttempt = new Map<string, KeptWork[]>();
  for (const work of kept) {
    const attempt = `${idOf(state, work)}, attempt ${work.attempt}`;
    ofAttempt.set(attempt, [...(ofAttempt.get(attempt) ?? []), work]);
  }
  const byAttempt = [...ofAttempt];
  const shown = byAttempt.slice(-KEPT_MAX).map(([attempt, works]) => `  ${attempt}: ${refsText(works)}`);
  const left = byAttempt.length - KEPT_MAX;
  const more = left > 0 ? [`  and ${left} more: git for-each-ref refs/specloop/kept/${spec}`] : [];
  return ['The work of these attempts is kept:', ...shown, ...more];
}

/** An attempt that was interrupted, or whose work was put aside more than once, has several: the newest is told whole. */
function refsText(works: readonly KeptWork[]): string {
  const [newest = '', ...others] = works.map(({ ref }) => ref).toReversed();
  return others.length === 0
    ? newest
    : `${newest} (also ${others.map((ref) => ref.slice(ref.lastIndexOf('/') + 1)).join(', ')})`;
}

function idOf({ tasks }: RunState, { task }: KeptWork): string {
  return idText(tasks.find(({ key }) => key === task)?.id ?? task);
}

function doneLines({ state: { branch }, worktree }: OverRun): readonly string[] {
  if (branch === '') return [];
  if (worktree === undefined) return [`The work is on the branch ${branch}.`];
  const { dir, merge, remove } = worktree;
  if (merge === undefined || remove === undefined) return [`The work is on the branch ${branch}, in ${dir}.`];
  return [`The work is on the branch ${branch}, in ${dir}. Merge it with \`${merge}\`; then \`${remove}\`.`];
}

/** What goes on from here; a run that is resumed knows by itself that it goes on to a pull request. */
function commandFor(run: OverRun, result: EndResult): string {
  const { spec: name, operand = name, state } = run;
  if (state.planning !== undefined) return planningCommand(run);
  const spec = commandLine(operand);
  const { policy, tasks } = state;
  const isResumed = result === 'interrupted' || result === 'fault';
  if (policy.pullRequest === undefined || isResumed) return `specloop implement ${spec}`;
  const isLeft = tasks.some((task) => !task.checked && isForAgents(task, policy) && task.from === undefined);
  return isLeft ? `specloop implement ${spec} --pr` : `specloop pr ${spec}`;
}

/** What goes on with planning: from a gate with the next document, which approves the one that waits (R-GATE-3). */
function planningCommand({ spec: name, operand = name, state, worktree }: OverRun): string {
  const spec = commandLine(operand);
  const { planning, tasks, awaitsApproval, rollback } = state;
  if (rollback === 'done') return `${planningGoesOn(spec, state)}${worktree === undefined ? '' : ' --worktree'}`;
  const waiting = tasks.find(({ key }) => key === awaitsApproval)?.step?.artifact;
  if (planning === undefined || waiting === undefined) return planningGoesOn(spec, state);
  const needed = documentsOf(planning.goalClass, planning.skipped);
  const next = needed[needed.indexOf(waiting) + 1];
  return next === undefined ? `specloop implement ${spec}` : draftsNext(spec, next, state);
}

function nextLines(run: OverRun, result: EndResult): readonly string[] {
  const command = `\`${run.command ?? commandFor(run, result)}\``;
  switch (result) {
    case 'completed':
      return doneLines(run);
    case 'stuck':
    case 'limit':
      return [`To continue, run ${command}.`];
    case 'waiting':
      return [`Then run ${command} to continue.`];
    case 'abandoned':
      return [`To start a new run on the branch as it is, run ${command}.`];
    case 'interrupted':
      return [`To resume, run ${command}.`];
    case 'fault':
      return [`Fix the problem above, then run ${command} to resume. Nothing that was recorded is lost.`];
    default:
      return unreachable(result);
  }
}
