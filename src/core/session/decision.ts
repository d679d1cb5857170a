import type { RunState } from '../run/data/state.ts';
import { handOvers } from '../run/drivers.ts';
import { next } from '../run/next.ts';
import { pauses } from '../run/pauses.ts';
import { counted } from '../text/words.ts';
import { unreachable } from '../unreachable.ts';

/** What a session is to do (R-SES-1). `gate`: a person has to act. */
export type SessionStep = 'delegate' | 'wait' | 'gate' | 'complete' | 'stuck' | 'limit';

export interface SessionDecision {
  readonly do: SessionStep;
  /** Until when to wait, in milliseconds since 1970. */
  readonly untilMs?: number;
  /** Why, for people and models. */
  readonly message: string;
}

/** What a session is to do, in a run at rest; `undefined` for one that was interrupted. */
export function decide(state: RunState): SessionDecision | undefined {
  if (state.ended !== undefined) return ofEnded(state, state.ended);
  const open = handOvers(state).length;
  if (open > 0) {
    const message = `Have each of ${counted(open, 'delegation')} done by a fresh helper, and hand its final answer in with "specloop submit".`;
    return { do: 'delegate', message: open === 1 ? ONE : message };
  }
  const [first] = pauses(state).toSorted((a, b) => a.untilMs - b.untilMs);
  if (next(state) !== undefined) return { do: 'delegate', message: READY };
  if (first === undefined) return undefined;
  const why =
    first.task === undefined
      ? 'The checks of the pull request are not over.'
      : 'The usage limit of an agent is not over.';
  return { do: 'wait', untilMs: first.untilMs, message: `${why} Call "specloop next" again then.` };
}

const READY = 'The next delegation is ready: call "specloop next".';
const ONE = 'Have the delegation done by a fresh helper, and hand its final answer in with "specloop submit".';

function ofEnded(
  { planning }: RunState,
  { result, reason }: NonNullable<RunState['ended']>,
): SessionDecision | undefined {
  switch (result) {
    case 'completed':
      // After a document comes the next one, and after the last one come the tasks.
      return planning === undefined ? { do: 'complete', message: reason } : { do: 'delegate', message: READY };
    case 'stuck':
    case 'limit':
      return { do: result, message: reason };
    case 'waiting':
      return { do: 'gate', message: reason };
    case 'abandoned':
      return { do: 'stuck', message: reason };
    case 'interrupted':
    case 'fault':
      return undefined;
    default:
      return unreachable(result);
  }
}
