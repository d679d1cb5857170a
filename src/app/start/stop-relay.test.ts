import { expect, test } from 'vitest';
import type { StopSignal } from '../../core/run/data/stop-signal.ts';
import { relayStops } from './stop-relay.ts';

test('one connection stops what is under way at that time, and what comes after it is stopped at once (R-UX-3)', async () => {
  const told: string[] = [];
  const connected: { readonly stop: (signal: StopSignal) => void; readonly endAll: () => Promise<void> }[] = [];
  const relay = relayStops((stop, endAll) => connected.push({ stop, endAll }));
  const listen = (name: string) =>
    relay.onStop(
      (signal) => told.push(`${name}: ${signal}`),
      async () => {
        told.push(`${name} ended`);
      },
    );
  listen('setup');
  expect(relay.asked()).toBeUndefined();
  connected[0]?.stop('SIGINT');
  listen('run');
  await connected[0]?.endAll();
  expect([connected.length, relay.asked(), told]).toEqual([1, 'SIGINT', ['setup: SIGINT', 'run: SIGINT', 'run ended']]);
});
