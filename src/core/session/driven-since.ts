import type { Envelope } from '../run/data/event.ts';

/** Since when the run has had the driver that it has now, ISO 8601 in UTC; `undefined` for no events. */
export function drivenSince(envelopes: readonly Envelope[]): string | undefined {
  let since: { readonly driver: string | undefined; readonly at: string } | undefined;
  for (const { event, at } of envelopes) {
    if (event.type !== 'run-started' && event.type !== 'run-resumed') continue;
    if (since === undefined || since.driver !== event.driver) since = { driver: event.driver, at };
  }
  return since?.at;
}
