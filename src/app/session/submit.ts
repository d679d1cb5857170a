import { systemClock } from '../../adapters/clock/system.ts';
import { fold } from '../../core/run/evolve.ts';
import type { SessionStep } from '../../core/session/decision.ts';
import { type SubmitVerdict, verdictOf } from '../../core/session/verdict.ts';
import { UserError } from '../../core/user-error.ts';
import { HandedOver } from '../../engine/lane/handed-over.ts';
import type { Host } from '../host.ts';
import { goOn, type HandedOverWork, taskIn } from '../run/step.ts';
import type { StartOrder } from '../start/order.ts';
import { type FoundToken, findToken } from './find-token.ts';
import { readGiven } from './given.ts';
import { decided } from './next.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** The answer to a delegation. */
export interface Submission {
  readonly token: string;
  /** The final answer of the helper. */
  readonly answer: string;
}

/** What came of an answer (R-SES-2). */
export interface SubmitAnswer extends SubmitVerdict {
  readonly v: 1;
  readonly task: HandedOverWork['task'];
  /** What `next` would say now. */
  readonly next: SessionStep;
}

/**
 * Takes the final answer to a delegation, writes it down, and applies every layer to the work; no further attempt begins
 * (R-SES-2). Throws `UserError` for a token that is unknown, used or overtaken; then nothing has changed.
 */
export async function submit(
  host: Host,
  { token, answer, ...order }: Submission & Pick<StartOrder, 'trust'> & { readonly onStop?: StartOrder['onStop'] },
): Promise<SubmitAnswer> {
  const { place } = requireGiven(await findToken(host, token));
  return await oneAtATime(place, async () => {
    const found = requireGiven(await findToken(host, token));
    requireUseful(found);
    const { archive, run } = found;
    const { effect, holder } = found.token;
    const folder = archive.folder(run.id);
    if (found.token.is === 'open') await new HandedOver(folder, systemClock).report(token, answer);
    const { settings, assumes } = (await readGiven(folder, token)) ?? {};
    const asked = { settings, ...(assumes && { assumes }) };
    const state = await goOn(place, host, { ...order, ...asked, driver: holder.driver, begins: false });
    const { envelopes } = await archive.read(run.id);
    const { do: next } = decided(state, place);
    return { v: 1, task: taskIn(state, effect.task), ...verdictOf(envelopes, effect), next };
  });
}

/**
 * Writes down the answer that a helper gave itself, bound by the token in its prompt; the next call of its session checks it
 * (R-SES-3). Resolves with whether an answer was awaited. Throws `UserError` as finding a repository does.
 */
export async function recordOwnAnswer(host: Host, { token, answer }: Submission): Promise<boolean> {
  const found = await findToken(host, token);
  if (found?.token.is !== 'open') return false;
  await new HandedOver(found.archive.folder(found.run.id), systemClock).report(token, answer, 'helper');
  return true;
}

function requireGiven(found: FoundToken | undefined): FoundToken {
  if (found !== undefined) return found;
  throw new UserError(
    'This token is unknown: no run of this repository has given it.',
    'Give the token of an open delegation; "specloop next" lists them.',
  );
}

/** A token is used once its verdict is recorded; until then an answer that was cut off may be handed in again. */
function requireUseful({ token, run }: FoundToken): void {
  const { effect, is } = token;
  const id = fold(run.envelopes.map(({ event }) => event))?.tasks.find(({ key }) => key === effect.task)?.id;
  const hint = 'Ask "specloop next" what is to be done.';
  if (is === 'overtaken')
    throw new UserError(
      `This token is overtaken: attempt ${effect.attempt} at task ${id} was ended without its answer.`,
      hint,
    );
  const { verdict, layer, reason } = verdictOf(run.envelopes, effect);
  if (is === 'open' || verdict === 'waiting') return;
  const [first = ''] = (reason ?? '').split('\n');
  const why = `${layer === null ? '' : ` at ${layer}`}${first === '' ? '' : `: ${first}`}`;
  throw new UserError(
    `This token was used: attempt ${effect.attempt} at task ${id} was ${verdict}${why}${/[.!?]$/.test(why) ? '' : '.'}`,
    hint,
  );
}
