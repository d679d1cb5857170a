import type { SpecFacts } from './world.ts';

/** An attempt of a run, by the key of its task and its number. */
export interface AttemptKey {
  readonly key: string;
  readonly attempt: number;
}

/** Where the work of one attempt is kept. */
export function keptRef(
  { name, run }: SpecFacts,
  { key, attempt }: { readonly key: string; readonly attempt: number },
): string {
  return `refs/specloop/kept/${name}/${run}/${key.replace(/[^A-Za-z0-9._-]/g, '-').replace(/\.$/, '')}/${attempt}`;
}
