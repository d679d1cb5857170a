import type { Role } from './role.ts';
import type { Outcome } from './outcome.ts';
import type { Pause } from './pause.ts';

/** Something to do next. An order, in plain data, safe to carry out twice. */
export type Effect =
  /** Bring branch, ignore entries and spec commit about (R-START-2, R-START-6, R-FILE-8). */
  | { readonly do: 'prepare' }
  /** Run one agent on one task (R-DEL-1). */
  | { readonly do: 'delegate'; readonly task: string; readonly attempt: number; readonly role: Role; readonly base: string }
  /** Measure what the agent left (section 5). */
  | { readonly do: 'check'; readonly task: string; readonly attempt: number }
  /** Record the accepted work: tick, progress entry and commit as one unit (R-ADV-1). */
  | { readonly do: 'commit'; readonly task: string; readonly attempt: number }
  /** Keep the work of a failed attempt under a ref and put the tree back (R-RETRY-4). */
  | { readonly do: 'set-aside'; readonly task: string; readonly attempt: number; readonly keepChanges: boolean }
  /** Wait until a usage limit is over (R-DEL-7). */
  | { readonly do: 'wait'; readonly task: string; readonly attempt: number; readonly pause: Pause }
  /** Bring the run to its end (R-ADV-3, R-RETRY-5). */
  | { readonly do: 'finish'; readonly result: Outcome | 'interrupted'; readonly reason: string };
