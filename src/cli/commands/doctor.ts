import { tmpdir } from 'node:os';
import { newMark, nodeProcesses } from '../../adapters/process/node.ts';
import type { Settings } from '../../config/schema.ts';
import { sanitise } from '../../core/text/sanitise.ts';
import type { Processes } from '../../ports/process.ts';
import { type Call, type Command, isSet, jsonOption } from '../command.ts';
import { checkAgents } from '../doctor/agents.ts';
import { type Finding, fail } from '../doctor/finding.ts';
import { checkLeftovers } from '../doctor/leftovers.ts';
import { checkContainment, checkGit, checkLock, checkNode, checkSandbox } from '../doctor/machine.ts';
import { checkRepository, checkSettings } from '../doctor/repository.ts';
import { checkWorkdir } from '../doctor/workdir.ts';
import { EXIT, tell } from '../exit.ts';
import type { Place } from '../place.ts';
import { type Colours, coloursFor, printJson } from '../print.ts';

/** Looks at everything that a run depends on, and tries out what can be tried. Runs nothing of the repository. */
export const doctor: Command = {
  operands: [],
  options: [jsonOption],
  examples: [['doctor', 'Checks Node.js, git, the repository, the agents, locks and settings.']],
  details: 'Exits with 1 if a check fails.',
  run: async (call) => {
    const findings = await examine(call);
    if (isSet(call, '--json')) printJson(call.stdout, { findings });
    else call.stdout.write(findings.map((finding) => lineOf(finding, coloursFor(call.stdout, call))).join(''));
    const failed = findings.filter(({ level }) => level === 'fail').length;
    if (failed === 0) return EXIT.ok;
    call.stderr.write('Put right what failed, then run "specloop doctor" again.\n');
    return EXIT.stuck;
  },
};

async function examine(call: Call): Promise<readonly Finding[]> {
  const git = await checkGit(call);
  const before = [checkNode(process.versions.node), git];
  if (git.level === 'fail') return before; // Nothing else can be found out without git.
  const { findings: ofRepository, place: repository } = await attempted('repository', () => checkRepository(call));
  const { findings: ofSettings, place } = await attempted('settings', () => checkSettings(repository, call));
  const looks = [
    attempted('locks', async () => ({ findings: [checkLock(repository?.commonDir ?? tmpdir())] })),
    attempted('working folder', async () => ({ findings: await checkWorkdir(place, repository) })),
    attempted('containment', async () => ({ findings: await checkPrograms(call, place) })),
    attempted('leftovers', async () => ({
      findings: place === undefined || repository === undefined ? [] : await checkLeftovers(place, repository, call),
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
    const { text, code } = tell(error);
    if (code === EXIT.bug) throw error;
    const [message = '', fix = 'Do that, then run "specloop doctor" again.'] = text.trim().split('\nHint: ');
    return { findings: [fail(about, message, fix)] };
  }
}

/** What has to be tried by running something. */
async function checkPrograms(call: Call, place: Place | undefined): Promise<readonly Finding[]> {
  const settings = place?.loaded.settings;
  const { containment } = settings ?? { containment: 'marker' as const };
  const processes = makeProcesses(containment);
  if (processes instanceof Error) return [fail('containment', processes.message, 'Install specloop again.')];
  try {
    const contained = await checkContainment(processes, { ...call, containment });
    const sandboxed = await checkSandbox(settings?.sandbox ?? 'off', call);
    return [contained, sandboxed, ...(place === undefined ? [] : await checkAgents(call, place, processes))];
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

const LEVELS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

function lineOf(finding: Finding, { green, yellow, red }: Colours): string {
  const paint = { ok: green, warn: yellow, fail: red }[finding.level];
  const fix = finding.level === 'ok' ? '' : `      Fix: ${sanitise(finding.fix)}\n`;
  return `${paint(LEVELS[finding.level])}  ${finding.about}: ${sanitise(finding.message)}\n${fix}`;
}
