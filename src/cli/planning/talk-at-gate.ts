import { GATE_QUESTION, gateAnswer } from '../../core/planning/gate-answer.ts';
import { WaitingError } from '../../core/user-error.ts';
import type { Person } from '../shared/host.ts';

/** After so many lines that decide nothing, no one is there who decides. */
const TRIES_MAX = 3;

/** A terminal with a person at it. */
export interface Talk {
  readonly ask: Person;
  readonly say: (line: string) => void;
}

/** What can be done about the document at once. */
export interface GateMoves {
  /** What is in the document now, and what the checks find in it, a line each. */
  readonly summary: () => Promise<readonly string[]>;
  /** Throws `WaitingError` for what cannot be approved as it is. */
  readonly approve: () => Promise<void>;
  /** Opens the document in the person's editor. */
  readonly edit: () => Promise<void>;
}

/** What a person decided about a document; what is to be changed needs a run. */
export type GateDecision =
  | { readonly is: 'approved' | 'review' | 'stopped' }
  | { readonly is: 'change'; readonly feedback: string };

/**
 * Asks a person about a document until there is a decision. After a line that is no answer it asks again, a few times;
 * Ctrl-C stops (R-GATE-1).
 */
export async function talkAtGate({ ask, say }: Talk, moves: GateMoves): Promise<GateDecision> {
  const show = async () => (await moves.summary()).forEach(say);
  await show();
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const said = await ask(`${GATE_QUESTION} `);
    if (said === undefined) return { is: 'stopped' };
    const answer = gateAnswer(said);
    if (answer !== undefined) tries = 0;
    switch (answer?.is) {
      case undefined:
        break;
      case 'stop':
        return { is: 'stopped' };
      case 'review':
        return { is: 'review' };
      case 'change': {
        const feedback = answer.text ?? (await feedbackFrom(ask));
        if (feedback !== undefined) return { is: 'change', feedback };
        break;
      }
      case 'edit':
        await moves.edit();
        await show();
        break;
      case 'approve':
        if (await isApproved(moves, say)) return { is: 'approved' };
    }
  }
  return { is: 'stopped' };
}

/** What has to change; `undefined` where nothing is said. */
async function feedbackFrom(ask: Talk['ask']): Promise<string | undefined> {
  const text = (await ask('What has to change? '))?.trim();
  return text === '' ? undefined : text;
}

async function isApproved({ approve }: GateMoves, say: Talk['say']): Promise<boolean> {
  try {
    await approve();
    return true;
  } catch (error) {
    if (!(error instanceof WaitingError)) throw error;
    say(error.message);
    say(error.hint);
    return false;
  }
}
