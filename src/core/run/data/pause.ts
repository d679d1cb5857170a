/**
 * How long to wait: until a time in milliseconds since 1970, until the instant at which a usage limit ends, as the agent named it, or for a while; `why` tells when that is
 * not a usage limit.
 */
export type Pause =
  | { readonly until: string }
  | { readonly untilMs: number; readonly why: 'pull-request' | 'usage-limit' }
  | { readonly forMs: number; readonly why?: 'ended-at-once' | 'service-failed' };
