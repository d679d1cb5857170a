import type { CheckReport } from '../../memory/forge-site.ts';
import type { World } from '../world.ts';
import type { Hosted } from './hosted.ts';
import type { CheckResult, CheckScript } from './script.ts';

const MINUTE_MS = 60_000;
/** A line that a merge leaves where both sides changed the same. */
export const MARKER = /^(?:<{7}|>{7})/m;

/** CI goes on to where it is by now with the newest commit of the branch. */
export function ciGoesOn(world: World, hosted: Hosted): void {
  const { head, heads, script } = hosted;
  if (head === undefined || hosted.open === undefined) return;
  if (!heads.includes(head)) heads.push(head);
  const nowMs = Date.parse(world.clock.now());
  for (const check of script.checks) goOn(hosted, { check, head, nowMs });
}

interface Now {
  readonly check: CheckScript;
  readonly head: string;
  readonly nowMs: number;
}

function goOn(hosted: Hosted, { check, head, nowMs }: Now): void {
  const { ci, site } = hosted;
  const key = `${head} ${check.name}`;
  const run = ci.get(key) ?? { startedAt: nowMs, round: 1, isTold: false };
  // Somebody had it run again.
  const isAgain = run.isTold && site.stateOf(head, check.name) === 'pending';
  const now = isAgain ? { startedAt: nowMs, round: run.round + 1, isTold: false } : run;
  const minutes = (nowMs - now.startedAt) / MINUTE_MS;
  const isOver = minutes >= check.endsAfter;
  ci.set(key, { ...now, isTold: isOver });
  if (now.round === 1 && minutes < check.appearsAfter) return;
  if (!now.isTold) site.check(head, check.name, report(hosted, { check, head, isOver, round: now.round }));
}

function report(
  hosted: Hosted,
  { check, head, isOver, round }: Omit<Now, 'nowMs'> & { readonly isOver: boolean; readonly round: number },
): CheckReport {
  const { isRequired } = check;
  if (!isOver) return { state: 'pending', isRequired };
  const state = resultOf(hosted, { check, head, round });
  return { state, isRequired, log: '##[group]Run true\nError: it does not fit\n' };
}

function resultOf(
  { heads, origin }: Hosted,
  { check: { results, again }, head, round }: Omit<Now, 'nowMs'> & { readonly round: number },
): CheckResult {
  const files = [...(origin.commits.get(head)?.files.values() ?? [])];
  if (files.some((text) => MARKER.test(text))) return 'failed';
  const first = results[Math.min(heads.indexOf(head), results.length - 1)] ?? results[0];
  return first === 'cut-off' && round > 1 ? again : first;
}
