import type { EventOf } from '../../run/data/event.ts';
import type { RunState } from '../../run/data/state.ts';
import { unreachable } from '../../unreachable.ts';
import { idOf, indented, shown } from './phrases.ts';

/** What keeps a commit waiting, or that it was not made, and the first lines of why; the end of the run tells the rest (R-ADV-5). */
export function commitSentence(
  event: EventOf<'commit-blocked' | 'commit-slow'>,
  after: RunState,
  detailLinesMax: number,
): string {
  return event.type === 'commit-slow' ? slowSentence(event, after) : blockedSentence(event, after, detailLinesMax);
}

function blockedSentence(event: EventOf<'commit-blocked'>, after: RunState, detailLinesMax: number): string {
  const lines = event.output.split('\n').filter((line) => line.trim() !== '');
  return indented(
    `${about(event.task, after)}the commit "${shown(event.subject)}" ${why(event.cause)}`,
    lines.slice(0, detailLinesMax).map(shown),
  );
}

function slowSentence({ task, runs }: EventOf<'commit-slow'>, after: RunState): string {
  return `${about(task, after)}committing (${runs === 'signing' ? 'git signs the commit' : 'your hooks run'}) …`;
}

function about(task: string | undefined, after: RunState): string {
  return task === undefined ? '' : `${idOf(after, task)}: `;
}

function why(cause: EventOf<'commit-blocked'>['cause']): string {
  switch (cause) {
    case 'message':
      return 'was not made: a hook refused its message.';
    case 'signing':
      return 'was not made: it could not be signed.';
    case 'reference':
      return 'was not made: a hook refused to move the branch.';
    case 'own':
      return 'was not made: a hook refused it.';
    case 'stop':
      return 'was stopped; the next start makes it.';
    default:
      return unreachable(cause);
  }
}
