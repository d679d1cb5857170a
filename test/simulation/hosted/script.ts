import type { Check } from '../../../src/core/pull-request/seen.ts';
import type { ActName } from './acts.ts';

/** Where a repository is hosted in a scenario: what its CI says, and who does what there, and when. */
export interface HostedScript {
  readonly checks: readonly CheckScript[];
  /** What happens just before the nth request to forge or remote, from 1 over a whole life. */
  readonly acts: readonly { readonly at: number; readonly act: ActName }[];
  /** Whether no one stands in the way of a green pull request for good, so that nothing else may come of it. */
  readonly completes?: boolean;
}

/** One check that CI runs on every commit that the branch is at. */
export interface CheckScript {
  readonly name: string;
  readonly isRequired: boolean;
  /** Minutes from the push until it appears, and until it has ended. */
  readonly appearsAfter: number;
  readonly endsAfter: number;
  /** What comes of it at the nth commit that CI sees, one after the other; the last goes on. */
  readonly results: readonly [CheckResult, ...CheckResult[]];
  /** What comes of a check that was cut off, when it is run again. */
  readonly again: CheckResult;
}

export type CheckResult = Exclude<Check['state'], 'pending'>;
