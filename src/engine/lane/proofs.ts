import type { Fingerprint } from '../../core/verify/fingerprint.ts';
import type { AttemptKey } from './attempt-key.ts';

/** What an attempt is recorded with: the paths that it changed, as they were proved. */
export interface Proved {
  readonly work: Fingerprint;
  /** Paths that were ignored before the attempt and are no longer: no part of its work (R-VER-13). */
  readonly uncovered: readonly string[];
  /** What was staged when the tree was looked at last; `undefined` where someone has worked in it since. */
  readonly staged?: readonly string[] | undefined;
}

interface BegunAttempt {
  readonly atMs: number;
  readonly inSubmodules: Fingerprint;
}

/** When attempts began, and what was proved of them. Not kept over a crash: after one, accepted work is checked again. */
export class Proofs {
  readonly #begun = new Map<string, BegunAttempt>();
  readonly #proved = new Map<string, Proved>();

  /** `at` is the instant, as the clock says it, before the agent is started; `inSubmodules` what is uncommitted there. */
  begin(attempt: AttemptKey, at: string, inSubmodules: Fingerprint): void {
    this.#begun.set(nameOf(attempt), { atMs: Date.parse(at), inSubmodules });
  }

  /** When the attempt began, in milliseconds since 1970; `undefined` if an earlier process started it. */
  beganAt(attempt: AttemptKey): number | undefined {
    return this.#begun.get(nameOf(attempt))?.atMs;
  }

  /** What was uncommitted inside submodules before the attempt; `undefined` if an earlier process started it. */
  inSubmodules(attempt: AttemptKey): Fingerprint | undefined {
    return this.#begun.get(nameOf(attempt))?.inSubmodules;
  }

  keep(attempt: AttemptKey, proved: Proved): void {
    this.#proved.set(nameOf(attempt), proved);
  }

  of(attempt: AttemptKey): Proved | undefined {
    return this.#proved.get(nameOf(attempt));
  }

  /** Someone works in the tree between the proof and its record, who may stage something. */
  forgetStaged(attempt: AttemptKey): void {
    const proved = this.of(attempt);
    if (proved !== undefined) this.keep(attempt, { ...proved, staged: undefined });
  }

  /** Forgets an attempt that is over. */
  drop(attempt: AttemptKey): void {
    this.#begun.delete(nameOf(attempt));
    this.#proved.delete(nameOf(attempt));
  }
}

function nameOf({ key, attempt }: AttemptKey): string {
  return `${attempt} ${key}`;
}
