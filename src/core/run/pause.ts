/**
 * How long to wait: until the instant at which a usage limit ends, as the agent named it, or for a while; `why` tells when that is
 * not a usage limit.
 */
export type Pause = { readonly until: string } | { readonly forMs: number; readonly why?: 'ended-at-once' };
