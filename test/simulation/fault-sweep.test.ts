import { expect, test } from 'vitest';
import type { Accident, Errno } from './accident.ts';
import type { Call } from './gate.ts';
import { plain, reviews } from './scenarios.ts';
import { sweep } from './sweep.ts';

const ERRNOS: readonly Errno[] = ['ENOSPC', 'EIO', 'EACCES'];

/** The faults that one call may meet: a failing disk hits readers too, a full or locked one only who writes. */
function faultsOf({ kind, steps }: Call, at: number): readonly Accident[] {
  const errnos = kind === 'write' ? ERRNOS : kind === 'read' ? (['EIO'] as const) : [];
  const inside = Array.from({ length: kind === 'write' ? steps : 0 }, (_, step) => step + 1);
  return errnos.flatMap((errno) => [
    ...[false, true].map((lasts): Accident => ({ at, what: 'fault', errno, lasts, step: 0 })),
    ...inside.map((step): Accident => ({ at, what: 'fault', errno, lasts: false, step })),
  ]);
}

/** Of all faults every third, and at the next call others, or all of them (`FAULTS=all`). */
function chosen(faults: readonly Accident[]): readonly Accident[] {
  return process.env.FAULTS === 'all' ? faults : faults.filter(({ at }, n) => (at + n) % 3 === 0);
}

const TIMEOUT_MS = 600_000;

test.each([plain, reviews])(
  'a disk that fails, once or until it is seen to, at any call of a port changes nothing: $name (R-UX-4)',
  async (scenario) => {
    const { lives, failures } = await sweep(scenario, (calls) =>
      chosen(calls.flatMap((call, n) => faultsOf(call, n + 1))),
    );
    expect(failures[0] ?? '', `${failures.length} of ${lives} lives went wrong`).toBe('');
    expect(lives).toBeGreaterThan(70);
  },
  TIMEOUT_MS,
);
