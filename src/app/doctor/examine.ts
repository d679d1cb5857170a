import { tmpdir } from 'node:os';
import { newMark, nodeProcesses } from '../../adapters/process/node.ts';
import type { Settings } from '../../config/schema.ts';
import { visible } from '../../core/text/sanitise.ts';
import type { Processes } from '../../ports/process.ts';
import { explain } from '../explain.ts';
import type { Host } from '../host.ts';
import type { Place } from '../place.ts';
import { checkAgents } from './agents.ts';
import { type Finding, fail } from './finding.ts';
import { checkLeftovers } from './leftovers.ts';
import { checkContainment, checkGit, checkLock, checkNode, checkSandbox } from './machine.ts';
import { checkPlugins } from './plugins.ts';
import { checkRepository, checkSettings } from './repository.ts';
import { checkWorkdir } from './workdir.ts';

/** Looks at everything that a run depends on, and tries out what can be tried. Runs nothing of the repository. */
export async function examine(host: Host): Promise<readonly Finding[]> {
  const git = await checkGit(host);
  const before = [checkNode(process.versions.node), git];
  if (git.level === 'fail') return before; // Nothing else can be found out without git.
  const { findings: ofRepository, place: repository } = await attempted('repository', () => checkRepository(host));
  const { findings: ofSettings, place } = await attempted('settings', () => checkSettings(repository, host));
  const looks = [
    attempted('locks', async () => ({ findings: [checkLock(repository?.commonDir ?? tmpdir())] })),
    attempted('working folder', async () => ({ findings: await checkWorkdir(place, repository) })),
    attempted('containment', async () => ({ findings: await checkPrograms(host, place) })),
    attempted('plugin', async () => ({ findings: await checkPlugins(host, place?.repository !== undefined) })),
    attempted('leftovers', async () => ({
      findings: place === undefined || repository === undefined ? [] : await checkLeftovers(place, repository, host),
    })),
  ];
  const found = await Promise.all(looks);
  return [...before, ...ofRepository, ...ofSettings, ...found.flatMap(({ findings }) => findings)];
}

interface Looked<Found> {
  readonly findings: readonly Finding[];
  readonly place?: Found;
}

/** What a look finds out; what keeps it from finding out is a finding too, and the other looks go on. */
async function attempted<Found = never>(about: string, look: () => Promise<Looked<Found>>): Promise<Looked<Found>> {
  try {
    return await look();
  } catch (error) {
    const known = explain(error);
    if (known === undefined) throw error;
    const fix = known.hint ?? 'Do that, then run "specloop doctor" again.';
    return { findings: [fail(about, visible(known.message), visible(fix))] };
  }
}

/** What has to be tried by running something. */
async function checkPrograms(host: Host, place: Place | undefined): Promise<readonly Finding[]> {
  const settings = place?.loaded.settings;
  const { containment } = settings ?? { containment: 'marker' as const };
  const processes = makeProcesses(containment);
  if (processes instanceof Error) return [fail('containment', processes.message, 'Reinstall specloop.')];
  try {
    const contained = await checkContainment(processes, { ...host, containment });
    const sandboxed = await checkSandbox(settings?.sandbox ?? 'off', host);
    return [contained, sandboxed, ...(place === undefined ? [] : await checkAgents(host, place, processes))];
  } finally {
    await processes.close();
  }
}

/** An installation that lacks a part is something to be told of, not a bug. */
function makeProcesses(containment: Settings['containment']): Processes | Error {
  try {
    return nodeProcesses({ runMark: newMark(), containment });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
