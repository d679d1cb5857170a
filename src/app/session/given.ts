import type { Sources } from '../../config/load.ts';
import type { RunFolder } from '../../ports/store.ts';

/** What is noted of a delegation each time it is given. */
export interface GivenNote {
  /** How often it was given. */
  readonly count: number;
  /** The settings that the session gave it with: its answer is checked by the same. */
  readonly settings?: Sources['flags'];
  /** Its recommendations are taken if it asks (R-ASK-2). */
  readonly assumes?: boolean;
}

/** What a session gives a delegation with. */
export type GivenWith = { readonly [K in 'settings' | 'assumes']?: GivenNote[K] | undefined };

/** What is noted of a delegation; `undefined` if it was never given. */
export async function readGiven(folder: Pick<RunFolder, 'readRecord'>, token: string): Promise<GivenNote | undefined> {
  try {
    return JSON.parse((await folder.readRecord(recordOf(token))) ?? '') as GivenNote;
  } catch {
    return undefined; // A record that is damaged counts as never written.
  }
}

/** Notes that a delegation is given once more, and tells how often it was (R-SES-1). */
export async function noteGiven(
  folder: Pick<RunFolder, 'readRecord' | 'writeRecord'>,
  token: string,
  { settings, assumes }: GivenWith,
): Promise<number> {
  const count = ((await readGiven(folder, token))?.count ?? 0) + 1;
  await folder.writeRecord(
    recordOf(token),
    JSON.stringify({ count, ...(settings && { settings }), ...(assumes && { assumes }) } satisfies GivenNote),
  );
  return count;
}

function recordOf(token: string): string {
  return `handed-over/${token}/given.json`;
}
