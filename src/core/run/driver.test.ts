import { expect, test } from 'vitest';
import { driverText, drivingOf, sessionDriver, sessionIdOf } from './driver.ts';
import { fold } from './evolve.ts';
import { plannedTask, started } from './test-rig.ts';

test('the name of a driver tells a session from a program and from a run of specloop itself (R-SES-4)', () => {
  expect(drivingOf(undefined)).toEqual({ kind: 'headless' });
  expect(drivingOf(sessionDriver('4f3a'))).toEqual({ kind: 'session', id: '4f3a' });
  expect(drivingOf(sessionDriver(undefined))).toEqual({ kind: 'session' });
  expect(drivingOf('ci')).toEqual({ kind: 'program', name: 'ci' });
  expect([sessionIdOf(sessionDriver('a:b')), sessionIdOf('ci'), sessionIdOf(undefined)]).toEqual([
    'a:b',
    undefined,
    undefined,
  ]);
  expect(driverText(sessionDriver('4f3a'))).toBe('the session 4f3a');
});

test('the state says who drives the run, or drove it last, from its start on (R-SES-4)', () => {
  const [first, ...rest] = started([plannedTask('1.1')]);
  if (first?.type !== 'run-started') throw new Error('A run begins with its start.');
  const begun = [{ ...first, driver: sessionDriver('a') }, ...rest];
  expect(fold(begun)?.driver).toBe('session:a');
  expect(fold([...begun, { type: 'run-resumed', head: 'c0' }])?.driver).toBeUndefined();
  expect(fold([...begun, { type: 'run-resumed', head: 'c0', driver: 'ci' }])?.driver).toBe('ci');
  expect(fold([first, ...rest])?.driver).toBeUndefined();
});
