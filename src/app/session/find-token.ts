import { listSpecs } from '../../adapters/store/spec-folder.ts';
import { fold } from '../../core/run/evolve.ts';
import { type Token, tokenOf } from '../../core/session/token.ts';
import type { RecordedRun, RunArchive } from '../../ports/store.ts';
import type { Host } from '../host.ts';
import { findPlace, inRepository, type SpecPlace } from '../place.ts';
import { archiveOf } from '../run/runs.ts';
import { specsElsewhere } from '../worktree/elsewhere.ts';

/** As `next` gives them. */
const TOKEN = /^[0-9a-f-]{36}$/;

/** A token, the run that gave it, and the spec of that run. */
export interface FoundToken {
  readonly place: SpecPlace;
  readonly archive: RunArchive;
  readonly run: RecordedRun;
  readonly token: Token;
}

/** Finds the spec that gave a token, in the repository of a folder; `undefined` if none did (R-SES-2). */
export async function findToken(host: Host, token: string): Promise<FoundToken | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const place = await findPlace(host);
  const repository = inRepository(place, host);
  const here = (await listSpecs(place.roots)).map((spec) => ({ ...place, repository, spec }));
  for (const at of [...here, ...(await specsElsewhere({ ...place, repository }, host))]) {
    const archive = archiveOf(at);
    for (const id of (await archive.list()).toReversed()) {
      if ((await archive.folder(id).readRecord(`handed-over/${token}/brief.json`)) === undefined) continue;
      const found = await inRun(await archive.read(id), token);
      if (found !== undefined) return { place: at, archive, ...found };
    }
  }
  return undefined;
}

async function inRun(run: RecordedRun, name: string): Promise<Pick<FoundToken, 'run' | 'token'> | undefined> {
  const state = fold(run.envelopes.map(({ event }) => event));
  const token = state && tokenOf(run.envelopes, state, name);
  return token && { run, token };
}
