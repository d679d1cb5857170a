import { addCompleted, fillHash } from '../../progress/completed.ts';
import { addLearnings } from '../../progress/merge.ts';
import { addNote, setFixHistory } from '../../progress/notes.ts';
import { progressOf, type RunState, taskOf } from '../data/state.ts';
import { remarksOf } from '../remark.ts';
import { withReality } from './planning-notes.ts';

const SHORT_HASH = 8;

/** `.progress.md` once a task is recorded: its entry, the hash of the one before, and what became of its fixes and review (R-ADV-1, R-REC-7, R-VER-7). */
export function progressWithTask(state: RunState, key: string, text: string | undefined): string {
  const { id, title } = taskOf(state, key);
  const { review, split } = progressOf(state, key);
  let after = addCompleted(withNewestHash(state, text), { id: key, title: split ? `${title} (split)` : title });
  const fixes = state.carried.fixes[id]?.fixTaskIds;
  if (fixes) after = setFixHistory(after, { id, fixes, final: 'PASS' });
  after = withFixOfRecorded(state, key, after);
  after = addLearnings(after, state.learned.get(key) ?? []);
  for (const suggestion of review.suggestions)
    after = addNote(after, 'Review Suggestions', `Task ${id}: ${suggestion}`);
  if (review.status !== undefined && review.status !== 'passed') {
    const findings = review.findings.length > 0 ? `: ${review.findings.join(' | ')}` : '';
    after = addNote(after, 'Reviews', `Task ${id}: ${review.status}${findings}`);
  }
  for (const { word, because } of remarksOf(state, key))
    after = addNote(after, 'Reviews', `Task ${id}: ${[word, ...because].join(': ')}`);
  return after;
}

/** A fix of a regression repairs a task that is recorded already: its history is told when the fix is (R-REC-7). */
function withFixOfRecorded(state: RunState, key: string, text: string): string {
  const { fixes } = taskOf(state, key);
  const original = state.tasks.find(({ id, checked }) => id === fixes && checked);
  const made = original && state.carried.fixes[original.id]?.fixTaskIds;
  return original && made ? setFixHistory(text, { id: original.id, fixes: made, final: 'PASS' }) : text;
}

/** The progress file with all that agents noted by a tool and is not in it yet (R-AGT-9). */
export function withLearned({ learned }: RunState, text: string): string {
  return addLearnings(text, [...learned.values()].flat());
}

/** `.progress.md` at the end of a run: the newest entry has its hash, and fixes that did not help are told as such (R-ADV-1, R-REC-7). */
export function progressAtEnd(state: RunState, text: string): string {
  let after = withNewestHash(state, text);
  for (const [id, { fixTaskIds: fixes }] of Object.entries(state.carried.fixes)) {
    const task = state.tasks.find((candidate) => candidate.id === id);
    if (task && progressOf(state, task.key).at === 'gave-up')
      after = setFixHistory(after, { id, fixes, final: 'FAIL (max limit)' });
  }
  return withReality(state, withLearned(state, after));
}

/** A commit cannot name itself: the newest entry gets its hash with the next one (R-ADV-1). */
function withNewestHash({ carried: { unnamed } }: RunState, text: string | undefined): string {
  if (unnamed === undefined || text === undefined) return text ?? '';
  return fillHash(text, { id: unnamed.id, hash: unnamed.commit.slice(0, SHORT_HASH) });
}
