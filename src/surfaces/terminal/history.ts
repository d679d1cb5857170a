import type { Envelope, RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { remarkWords } from '../../core/run/remark.ts';
import { counted, durationText, shortHash, taskName } from '../../core/text/words.ts';
import { noteSentences, sentence } from '../../core/view/sentences/sentence.ts';
import type { Tally } from '../../core/view/totals/tally.ts';
import type { Line } from './line.ts';
import type { Symbols } from './symbols.ts';

const DETAIL_LINES_MAX = 20;

/** A run before and after one event. */
export interface Turn {
  readonly before: { readonly state: RunState; readonly tally: Tally } | undefined;
  readonly after: { readonly state: RunState; readonly tally: Tally };
}

/** What an event leaves in the terminal's history. What the live region shows while it lasts is not repeated. */
export function history(envelope: Envelope, turn: Turn, symbols: Symbols): readonly Line[] {
  const { event } = envelope;
  if (event.type === 'effect-started' && event.effect.do !== 'wait') return [];
  if (event.type === 'task-committed')
    return [
      doneLine(event, turn, symbols),
      ...noteSentences(event, turn.after.state).map((text): Line => [{ text: `  ${text}` }]),
    ];
  const said = sentence(envelope, turn.after.state, DETAIL_LINES_MAX);
  if (said === undefined) return [];
  const [head = '', ...rest] = said.split('\n');
  const further: Line[] = rest.map((text) => [{ text: `  ${text}`, tone: 'quiet' }]);
  return isRejection(event, turn)
    ? [[{ text: `${symbols.rejected} `, tone: 'bad' }, { text: head }], ...further]
    : [[{ text: `  ${head}` }], ...further];
}

/** `✔ 1.3 Add parser  verified · 2 attempts · 4m12s · a1b2c3d` */
function doneLine(
  { task: key, commit }: Extract<RunEvent, { type: 'task-committed' }>,
  { before, after }: Turn,
  symbols: Symbols,
): Line {
  const task = after.state.tasks.find((candidate) => candidate.key === key) ?? { id: key, title: '' };
  const motion = before?.tally.inMotion.get(key);
  const facts = [
    proof(key, after.state),
    ...(motion ? [counted(motion.attempts, 'attempt'), durationText(after.tally.lastAtMs - motion.beganAtMs)] : []),
    shortHash(commit),
  ];
  return [
    { text: `${symbols.done} `, tone: 'good' },
    { text: taskName(task) },
    { text: `  ${facts.join(` ${symbols.dot} `)}`, tone: 'quiet' },
  ];
}

/** Nothing is called verified that no command and no verifier has passed. */
function proof(key: string, state: RunState): string {
  const { tasks, splits } = state;
  if ([...splits.values()].includes(key)) return 'split';
  const task = tasks.find((candidate) => candidate.key === key);
  const isVerified = task !== undefined && (task.verify || (task.verifyCommand !== null && task.fixes === undefined));
  const words = remarkWords(state, key);
  return words.length > 0 ? words.join(', ') : isVerified ? 'verified' : 'accepted';
}

function isRejection(event: RunEvent, { after }: Turn): boolean {
  if (event.type === 'batch-closed') return event.broken.length > 0;
  if (event.type === 'tests-run') return event.when !== 'baseline' && event.failures.length > 0;
  if (event.type === 'work-set-aside' || event.type === 'questions-asked' || !('task' in event)) return false;
  const progress = after.state.progress.get(event.task);
  return progress?.at === 'faulted' || (progress?.at === 'failed' && progress.blame === 'task');
}
