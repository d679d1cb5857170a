import type { SpecPlace } from '../../app/place.ts';
import type { BeginOptions, NextOptions } from '../../app/session/next.ts';
import type { Call } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf } from '../shared/setting-options.ts';
import { printNext } from './print-next.ts';

/** Hands documents over to a session, and prints what it is to do; resolves with the exit code (R-SES-1). */
export async function beginInSession(
  call: Call,
  place: SpecPlace,
  options: Omit<BeginOptions, 'settings'>,
): Promise<number> {
  const { beginFor } = await import('../../app/session/next.ts');
  return printNext(call, await beginFor(place, hostOf(call), { ...options, settings: flagsOf(call) }));
}

/** Goes on with a spec in a session; resolves with the exit code (R-SES-1). */
export async function goOnInSession(
  call: Call,
  {
    spec,
    ...options
  }: { readonly spec: string; readonly session: string } & Pick<NextOptions, 'takeOver' | 'trust' | 'onStop'>,
): Promise<number> {
  const { nextOf } = await import('../../app/session/next.ts');
  return printNext(call, await nextOf(hostOf(call), { spec, settings: flagsOf(call), ...options }));
}
