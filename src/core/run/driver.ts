import { unreachable } from '../unreachable.ts';

const SESSION = 'session';

/**
 * Who drives a run, or drove it last (R-SES-4). `headless`: a process of specloop that runs the agents itself. `session`: an
 * agent's session, whose id is absent if it did not give one. `program`: a program that uses the library.
 */
export type Driving =
  | { readonly kind: 'headless' }
  | { readonly kind: 'session'; readonly id?: string }
  | { readonly kind: 'program'; readonly name: string };

/** The name that the journal has for an agent's session as the driver of a run; `drivingOf` reads it. */
export function sessionDriver(id: string | undefined): string {
  return id === undefined ? SESSION : `${SESSION}:${id}`;
}

/** Reads the name of a driver, as `RunState` and the journal have it. */
export function drivingOf(driver: string | undefined): Driving {
  if (driver === undefined) return { kind: 'headless' };
  if (driver === SESSION) return { kind: 'session' };
  if (driver.startsWith(`${SESSION}:`)) return { kind: 'session', id: driver.slice(SESSION.length + 1) };
  return { kind: 'program', name: driver };
}

/** The id of the session that a driver is; `undefined` for any other driver, and for a session without an id. */
export function sessionIdOf(driver: string | undefined): string | undefined {
  const driving = drivingOf(driver);
  return driving.kind === 'session' ? driving.id : undefined;
}

/** A driver in words, such as `the session 4f3a`. */
export function driverText(driver: string | undefined): string {
  const driving = drivingOf(driver);
  switch (driving.kind) {
    case 'headless':
      return 'specloop implement';
    case 'session':
      return driving.id === undefined ? 'a session without an id' : `the session ${driving.id}`;
    case 'program':
      return driving.name;
    default:
      return unreachable(driving);
  }
}
