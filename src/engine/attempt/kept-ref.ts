import type { AttemptKey } from '../lane/attempt-key.ts';
import type { SpecFacts } from '../lane/world.ts';

/** Where the work of one attempt is kept. */
export function keptRef({ name, run }: SpecFacts, { key, attempt }: AttemptKey): string {
  return `refs/specloop/kept/${name}/${run}/${key.replace(/[^A-Za-z0-9._-]/g, '-').replace(/\.$/, '')}/${attempt}`;
}
