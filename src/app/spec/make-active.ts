import { relative } from 'node:path';
import { switchSpec } from '../../adapters/store/spec-folder.ts';
import { currentSpecFile } from '../../adapters/store/spec-roots.ts';
import type { Host } from '../host.ts';
import { findPlace, specIn } from '../place.ts';

/** Makes a spec the active one, and says where that is written (R-FILE-2). Throws `UserError`. */
export async function makeActive(host: Host, name?: string): Promise<void> {
  const place = await findPlace(host);
  const spec = await specIn(place, host, name);
  await switchSpec(place.roots, spec);
  const file = relative(place.roots.cwd, currentSpecFile(place.roots));
  host.notify(`${spec.name} is the active spec (${file}).`);
}
