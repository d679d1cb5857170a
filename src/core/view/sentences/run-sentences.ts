import { realityText } from '../../planning/reality-check.ts';
import type { EventOf } from '../../run/data/event.ts';
import { currentIndex, type RunState } from '../../run/data/state.ts';
import { counted, durationText, shortHash, taskName } from '../../text/words.ts';
import { noticedSentence } from './noticed-sentence.ts';
import { each, firstFew, idOf, indented, list, shown } from './phrases.ts';
import { unitsOf } from './units.ts';

/** How much is done and what is next. */
export function doneAndNext(state: RunState): string {
  const { done, total, noun } = unitsOf(state);
  const current = state.tasks[currentIndex(state)];
  return `${done} of ${counted(total, noun)} done${current ? `, next is ${taskName(current)}` : ''}.`;
}

/** With which agent, where, and within which limits a run begins (R-START-8, R-UX-1). */
export function startNotes({ agents }: EventOf<'run-started'>, after: RunState): readonly string[] {
  const { workdir = '' } = after.policy;
  const where = workdir === '' ? [] : [`runs in: ${shown(workdir)}`];
  return [...drafting(after), `agent: ${shown(agents)}`, ...where, limits(after)];
}

/** Which documents a run of planning drafts, and who does. */
function drafting({ tasks }: RunState): readonly string[] {
  const open = tasks.flatMap(({ step, checked }) =>
    step === undefined || checked ? [] : [`${step.file} (${step.role})`],
  );
  return open.length === 0 ? [] : [`drafts: ${open.join(', ')}`];
}

function limits({ policy, planning }: RunState): string {
  const bounds = [
    `${counted(policy.maxTaskIterations, 'attempt')} a ${planning === undefined ? 'task' : 'document'}`,
    `${policy.maxGlobalIterations} in all`,
    ...(policy.maxCostUsd === undefined ? [] : [`${policy.maxCostUsd} USD`]),
    ...(policy.maxTokens === undefined ? [] : [`${policy.maxTokens} tokens`]),
    ...(policy.maxTimeMs === undefined ? [] : [durationText(policy.maxTimeMs)]),
  ];
  return `limits: ${bounds.join(', ')}`;
}

/** What a start found that people should know (R-ADV-2, R-FILE-7). */
export function resumedNotes({ recorded, tasks, foreign }: EventOf<'run-resumed'>, after: RunState): readonly string[] {
  return [
    ...(recorded ? [`${idOf(after, recorded.task)}: done, found its commit ${shortHash(recorded.commit)}`] : []),
    ...(tasks ? ['The plan was edited since; using the current version.'] : []),
    ...(foreign && foreign.length > 0 ? [leftAlone(foreign)] : []),
  ];
}

/** What was brought about before the first task (R-START-2, R-START-6). */
export function preparedNotes(
  { notes, foreign, byHand = [] }: EventOf<'run-prepared'>,
  after: RunState,
): readonly string[] {
  return [
    ...notes.map((note) => shown(note)),
    ...(foreign.length > 0 ? [leftAlone(foreign)] : []),
    ...(byHand.length > 0
      ? [`Ticked by hand: ${members(after, byHand)}. They are in no commit made by specloop.`]
      : []),
  ];
}

function leftAlone(paths: readonly string[]): string {
  return `Your uncommitted changes are not committed, and are restored if an attempt changes them: ${list(paths)}.`;
}

/** Ids of tasks, in one line. */
export function members(after: RunState, keys: readonly string[]): string {
  return keys.map((key) => idOf(after, key)).join(', ');
}

/** How a batch ended (R-PAR-6). */
export function batchSentence({ broken }: EventOf<'batch-closed'>, after: RunState): string {
  const why = broken.map(
    ({ task, victim, command }) =>
      `${idOf(after, task)} breaks \`${shown(command)}\` of ${idOf(after, victim)}: its box is open again.`,
  );
  return indented('BATCH_COMPLETE', why);
}

/** What the project's tests say, and whether a task is to blame (R-START-7, R-ADV-3). */
export function testsSentence({ when, failures, durationMs }: EventOf<'tests-run'>): string {
  if (when === 'baseline') {
    const known =
      failures.length === 0 ? 'pass' : `fail in ${counted(failures.length, 'place')}; no task is blamed for these`;
    return `Before the first task the tests ${known} (${durationText(durationMs)}).`;
  }
  if (failures.length === 0) return `The tests found no regression (${durationText(durationMs)}).`;
  return indented('Tests fail that did not fail before:', firstFew(failures));
}

/** What the command did that shows the defect of a bug fix (R-BUG-1). */
export function realitySentence(event: EventOf<'reproduction-run' | 'reproduction-cancelled'>): string | undefined {
  if (event.type === 'reproduction-cancelled') return 'The reproduction was interrupted.';
  return each(
    `Reality check (${event.when} the fix): ${realityText(event)}.`,
    noticedSentence(event, 'The reproduction'),
  );
}
