import type { SpecPlace } from '../../app/place.ts';
import type { PlanningOrder, PlanningOutcome } from '../../app/planning/planning-order.ts';
import { beginFor } from '../../app/session/next.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { questionsAsked } from '../../core/run/questions.ts';
import { stepsAhead } from '../../core/view/steps-ahead.ts';
import { exitCodeOf, signalExitCode } from '../implement/exit-code.ts';
import { screenOf } from '../implement/screen.ts';
import { onSignals } from '../implement/signals.ts';
import { printNext } from '../session/print-next.ts';
import type { Call } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { runCall, sessionOf } from '../shared/options.ts';
import { interview } from './interview.ts';

/** How a run of planning ended for a command. */
export interface PlanningEnd {
  readonly code: number;
  /** All its documents are recorded, and no person is asked about one. */
  readonly isComplete: boolean;
  /** The document that a person is asked about. */
  readonly gate?: Drafted;
  /** The spec in the tree that the run worked in. */
  readonly place: SpecPlace;
}

/** The spec that is planned, and whether it is to be made first. */
interface Planned {
  readonly place: SpecPlace;
  readonly isNew: boolean;
}

/** What a call says of each start, and what shows it. */
type PlanningCall = Omit<PlanningOrder, 'list' | 'make' | 'isNew'>;

/**
 * Shows a run of planning, or with `--dry-run` what it would do (R-START-8); with `--session` it is handed over (R-SES-1). A
 * person in a terminal is asked what the author of a document asks, between two runs (R-ASK-2). Throws `UserError` and `HaltedRun`.
 */
export async function runPlanning(
  call: Call,
  { place, isNew }: Planned,
  start: (order: PlanningCall) => Promise<PlanningOutcome>,
): Promise<PlanningEnd> {
  const asked = { ...(await runCall(call)), onStop: onSignals };
  const session = sessionOf(call);
  if (session !== undefined && !asked.dryRun) {
    const begin = async (shown: Pick<PlanningCall, 'surfaces' | 'onStop'>) => await start({ ...asked, ...shown });
    const { settings, assumes = false, onStop } = asked;
    const answer = await beginFor(place, hostOf(call), { session, begin, settings, assumes, onStop });
    return { code: printNext(call, answer), isComplete: false, place };
  }
  const isAnswered = asked.assumes || asked.answers !== undefined;
  const mayAsk = !isAnswered && !asked.json && !asked.dryRun;
  if (mayAsk && !isNew) await interview(call, place);
  for (;;) {
    const { surfaces, end } = screenOf(call, asked);
    const outcome = await start({ ...asked, surfaces });
    if (outcome.is === 'preview') {
      call.stdout.write(`${[...stepsAhead(outcome.ahead), 'Nothing was changed.'].join('\n')}\n`);
      return { code: EXIT.ok, isComplete: false, place };
    }
    if (outcome.is === 'stopped') return { code: signalExitCode(outcome.signal), isComplete: false, place };
    const { state } = outcome;
    await end(state);
    const asks = state.ended?.result === 'waiting' && questionsAsked(state).length > 0;
    if (!asks || !mayAsk || !(await interview(call, place))) return { ...endOf(state), place: outcome.place };
  }
}

function endOf(state: RunState): Omit<PlanningEnd, 'place'> {
  const { ended, awaitsApproval, tasks } = state;
  const gate = tasks.find(({ key }) => key === awaitsApproval)?.step?.artifact;
  return {
    code: exitCodeOf(state),
    isComplete: ended?.result === 'completed',
    ...(ended?.result === 'waiting' && gate !== undefined && { gate }),
  };
}
