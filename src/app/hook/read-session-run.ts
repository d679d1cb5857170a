import { systemClock } from '../../adapters/clock/system.ts';
import { runArchive } from '../../adapters/store/run-folder.ts';
import { type SessionRun, sessionRun } from '../../core/session/session-run.ts';
import { latestRun } from '../run/runs.ts';

/** The newest run of a spec, as its hooks look at it; `undefined` if there is none. Throws `JournalDamaged`. */
export async function readSessionRun(privateDir: string, spec: string): Promise<SessionRun | undefined> {
  const archive = runArchive({ dir: privateDir, spec, clock: systemClock, chance: Math.random });
  const latest = await latestRun(archive);
  return latest && sessionRun(latest.run.id, latest.run.envelopes, latest.state);
}
