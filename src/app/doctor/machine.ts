import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allowedEnvironment } from '../../adapters/process/environment.ts';
import { kernelLocks } from '../../adapters/store/kernel-lock.ts';
import type { Processes } from '../../ports/process.ts';
import type { Host } from '../host.ts';
import { sandboxWorks } from '../trust/sandbox.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const NODE_MIN: readonly [number, number] = [20, 19];
/** The oldest line that gets security fixes. */
const NODE_SUPPORTED = 22;
const PROBE_MS_MAX = 10_000;
const GIT_MIN: readonly [number, number] = [2, 39];

/** Whether this version of Node.js can run us, and whether it is still looked after. */
export function checkNode(version: string): Finding {
  const about = 'Node.js';
  if (isOlder(version, NODE_MIN))
    return fail(about, `${version} is too old.`, `Install ${NODE_MIN.join('.')} or later; version 24 is recommended.`);
  if (isOlder(version, [NODE_SUPPORTED, 0]))
    return warn(about, `${version} works, but no longer gets security fixes.`, 'Upgrade to version 22 or 24.');
  return ok(about, `${version}.`);
}

/** Whether git is there and new enough. */
export async function checkGit({ env }: Pick<Host, 'env'>): Promise<Finding> {
  const about = 'git';
  const version = await promisify(execFile)('git', ['--version'], { env }).then(
    ({ stdout }) => /\d+\.\d+\S*/.exec(stdout)?.[0],
    () => undefined,
  );
  if (version === undefined)
    return fail(
      about,
      'git was not found or does not start.',
      `Install git ${GIT_MIN.join('.')} or later, and make sure that it is on PATH.`,
    );
  if (isOlder(version, GIT_MIN))
    return warn(
      about,
      `${version} is older than the versions that specloop is tested with.`,
      `Install git ${GIT_MIN.join('.')} or later.`,
    );
  return ok(about, `${version}.`);
}

/** Tries the kernel's locks where they are needed: of two openings of one file only one may get it (R-FILE-6). */
export function checkLock(dir: string): Finding {
  const about = 'locks';
  const folder = mkdtempSync(join(dir, 'specloop-doctor-'));
  const files = [1, 2].map(() => openSync(join(folder, 'lock'), 'w'));
  try {
    const [first, second] = files.map((fd) => kernelLocks.tryLock(fd, 'exclusive'));
    if (first === true && second === false) return ok(about, 'File locks work.');
    return fail(
      about,
      `File locks do not work in ${dir}, as on some network file systems.`,
      'Work in a clone on a local disk.',
    );
  } catch {
    return warn(
      about,
      'File locks are not available here; a file with the process id is used instead.',
      'Nothing to do, unless two machines share this folder: then work in a clone on a local disk.',
    );
  } finally {
    for (const fd of files) closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}

/** Lets a program leave something running, and looks whether that is found and ended (R-DEL-6). */
export async function checkContainment(
  processes: Processes,
  { env, containment }: Pick<Host, 'env'> & { readonly containment: 'marker' | 'namespace' },
): Promise<Finding> {
  const about = 'containment';
  const probe = await processes.probe();
  if (!probe.works) return fail(about, probe.problem, 'Do that, then run "specloop doctor" again.');
  const ended = await processes.run({
    argv: ['sh', '-c', 'sleep 60 >/dev/null 2>&1 & exit 0'],
    cwd: tmpdir(),
    env: allowedEnvironment(env, { pass: [] }),
    limits: { wallMs: PROBE_MS_MAX },
    tailBytesMax: 0,
  });
  if (ended.how !== 'exited')
    return fail(about, 'A test program did not finish.', 'Check the limits on processes, such as "ulimit -u".');
  const isFound = containment === 'namespace' || ended.leftovers > 0; // A name space ends by itself what is in it.
  if (isFound) return ok(about, 'Processes that a program leaves running are found and ended.');
  return fail(
    about,
    'Processes that a program leaves running are not found.',
    'Set containment to "namespace", in your own settings.',
  );
}

/** Whether the sandbox that a person wants works here, and whether there is one to want (R-SEC-3). */
export async function checkSandbox(wanted: 'off' | 'auto' | 'strict', { env }: Pick<Host, 'env'>): Promise<Finding> {
  const about = 'sandbox';
  const probe = await sandboxWorks(env);
  if (probe.works) {
    const use = wanted === 'off' ? 'Off. It works on this machine: turn it on with --sandbox strict.' : 'It works.';
    return ok(about, use);
  }
  if (wanted === 'off') return ok(about, `Off. ${probe.problem}`);
  return (wanted === 'strict' ? fail : warn)(about, probe.problem, 'Do that, or set sandbox to "off".');
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, ownMajor = 0, ownMinor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}
