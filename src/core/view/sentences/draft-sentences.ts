import { problemCounts } from '../../planning/draft-problem.ts';
import { measuredLine, measuredText } from '../../planning/project-commands.ts';
import type { EventOf, RunEvent } from '../../run/data/event.ts';
import type { RunState } from '../../run/data/state.ts';
import { ASKED_MAX } from '../../run/questions.ts';
import { counted, shortHash } from '../../text/words.ts';
import { asideSentence, leftText, rejection } from './attempt-sentences.ts';
import { noticedSentence } from './noticed-sentence.ts';
import { each, idOf, indented, list, shown } from './phrases.ts';

type MeasureEvent = EventOf<'commands-measured' | 'measuring-cancelled'>;
type DraftEvent = EventOf<'questions-asked' | 'draft-checked' | 'draft-recorded' | 'drafts-removed'> | MeasureEvent;

const TYPES: ReadonlySet<string> = new Set<DraftEvent['type']>([
  'questions-asked',
  'draft-checked',
  'draft-recorded',
  'drafts-removed',
  'commands-measured',
  'measuring-cancelled',
]);

/** Whether an event tells of drafts of documents, or of what goes before them. */
export function isOfDrafts(event: RunEvent): event is DraftEvent {
  return TYPES.has(event.type);
}

/** What the checks say of a draft, what its author asks, or where it is recorded (R-PLAN-2, R-PLAN-5, R-ASK-1). */
export function draftSentence(event: DraftEvent, after: RunState, detailLinesMax: number): string | undefined {
  if (event.type === 'drafts-removed')
    return each(
      `What was made is removed: ${list(event.restored)}.`,
      ...event.kept.map((ref) => `The drafts are kept under ${shown(ref)}`),
    );
  if (event.type === 'commands-measured' || event.type === 'measuring-cancelled') return measuredSentence(event);
  if (event.type === 'questions-asked') return each(askedSentence(event, after), asideSentence(event, after));
  const id = idOf(after, event.task);
  if (event.type === 'draft-checked') {
    const counts = problemCounts(event.problems);
    const found = `${id}: the checks found ${counts === '' ? 'no problem' : counts}.`;
    return rejection(event.task, after, detailLinesMax) ?? found;
  }
  const { commit, sha256, left } = event;
  const where = commit === undefined ? 'no new commit' : `commit ${shortHash(commit)}`;
  return each(left && `${id}: ${leftText(left)}.`, `${id}: recorded, content ${shortHash(sha256)}, ${where}`);
}

function askedSentence({ task, questions }: EventOf<'questions-asked'>, after: RunState): string {
  const more = questions.length - ASKED_MAX;
  const asked = questions.slice(0, ASKED_MAX).map(({ id, ask }) => `[${id}] ${ask}`);
  return indented(
    `${idOf(after, task)}: asks ${counted(questions.length, 'question')}; this does not count as an attempt.`,
    [...asked.map((line) => shown(line)), ...(more > 0 ? [`and ${more} more`] : [])],
  );
}

/** What the quality commands did before the first document (R-PLAN-2). */
function measuredSentence(event: MeasureEvent): string | undefined {
  if (event.type === 'measuring-cancelled') return 'Running the quality commands was interrupted.';
  const { measured } = event;
  const told = indented(`${measuredText(measured)}:`, measured.map(measuredLine));
  return each(measured.length === 0 ? undefined : told, noticedSentence(event, 'A quality command'));
}
