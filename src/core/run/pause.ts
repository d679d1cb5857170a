/**
 * How long to wait: for a pull request, until a time in milliseconds since 1970; else until the instant at which a usage limit ends, as the agent named it, or for a while; `why` tells when that is
 * not a usage limit.
 */
export type Pause =
  | { readonly until: string }
  | { readonly untilMs: number; readonly why: 'pull-request' }
  | { readonly forMs: number; readonly why?: 'ended-at-once' };
