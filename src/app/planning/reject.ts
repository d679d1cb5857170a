import { readText } from '../../adapters/store/read-text.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { planningHome } from '../worktree/home.ts';
import { documentsIn } from './documents.ts';

const FEEDBACK_BYTES_MAX = 64 * 1024;

/** The document that a person means to have changed: the named one, else the newest that is there. Throws `UserError`. */
export async function documentToReject(start: SpecPlace, host: Host, named: string | undefined): Promise<Drafted> {
  const { place } = await planningHome(start, host);
  const { documents } = await documentsIn(place, host);
  const there = documents.filter(({ state }) => state !== 'missing').map(({ artifact }) => artifact);
  const found = named === undefined ? there.at(-1) : there.find((artifact) => artifact === named);
  if (found !== undefined) return found;
  const { name } = place.spec;
  throw new UserError(
    named === undefined ? `${name} has no document yet.` : `${name} has no document "${named}".`,
    there.length === 0 ? `Make the first one: specloop start ${name}` : `It has ${there.join(', ')}.`,
  );
}

/** The words of a person in a file. Throws `UserError` for one that is missing or no text. */
export function readFeedback(path: string): string {
  const text = readText(path, FEEDBACK_BYTES_MAX);
  if (text === undefined) throw new UserError(`There is no file "${path}".`, 'Name a file that exists.');
  return text;
}
