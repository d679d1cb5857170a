import { nodeProcesses } from '../../adapters/process/node.ts';
import { redaction } from '../../adapters/process/redaction.ts';
import type { Sandbox } from '../../adapters/process/sandbox.ts';
import { sweepTemporaryFolders } from '../../adapters/process/temporary-folder.ts';
import { sweepAllTemporaries, sweepTemporaries } from '../../adapters/store/atomic-write.ts';
import { branchPrivateFolder, privateFolder } from '../../adapters/store/private-folder.ts';
import type { Processes } from '../../ports/process.ts';
import { privateFolderOf } from '../run/runs.ts';
import { secretsOf } from '../trust/secrets.ts';
import { endDeadRun } from './end-dead-run.ts';
import type { Ready } from './ready.ts';

/**
 * What a killed run left running is ended before anything else, then its lock files and temporary files go (R-DEL-6).
 * Returns how processes of the coming run are made.
 */
export async function cleanUp(ready: Ready): Promise<(runMark: string, sandbox?: Sandbox) => Processes> {
  const { host, place, archive } = ready;
  const redact = redaction(secretsOf(host.env));
  const { containment } = place.loaded.settings;
  const make = (runMark: string, sandbox?: Sandbox): Processes =>
    nodeProcesses({ runMark, containment, redact, ...(sandbox && { sandbox }) });
  const dead = await archive.latest();
  if (dead !== undefined) {
    await endDeadRun({ run: dead.id, commonDir: place.repository.commonDir }, make(dead.id), host);
    if (dead.torn) host.notify(`The last line of the journal of run ${dead.id} was cut off by a crash; it is ignored.`);
  }
  sweep(ready);
  return make;
}

/** Removes the temporary files of killed runs, from every place that the locks of this run keep for it. */
function sweep({ place, facts }: Ready): void {
  const { commonDir } = place.repository;
  for (const dir of [place.spec.dir, privateFolder(commonDir)]) sweepTemporaries(dir);
  sweepAllTemporaries(branchPrivateFolder(commonDir, facts.newBranch ?? facts.branch));
  sweepAllTemporaries(privateFolderOf(place));
  sweepTemporaryFolders();
}
