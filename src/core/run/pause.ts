/** How long to wait for a usage limit: until the instant the agent named, or for a while. */
export type Pause = { readonly until: string } | { readonly forMs: number };
