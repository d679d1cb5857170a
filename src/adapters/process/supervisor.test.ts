import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Family } from './family.ts';
import { newMark, nodeProcesses } from './node.ts';
import { build, type Coordinator, isAlive, killIfThere, startCoordinator, until } from './test-rig.ts';

const built = build();
const { PATH = '' } = process.env;
let dir: string;
let runMark: string;
let coordinator: Coordinator | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'supervisor-test-'));
  runMark = newMark();
  coordinator = undefined;
});
afterEach(async () => {
  if (coordinator) killIfThere(coordinator.pid);
  await new Family({ mark: `SPECLOOP_RUN_MARK=${runMark}` }).end([]);
  for (const pid of [...pids(), ...supervisors()]) killIfThere(pid);
  rmSync(dir, { recursive: true, force: true });
});
afterAll(() => built.remove());

/** Starts a coordinator that runs a bash script, whose `$pids` is a file for ids of processes that have to be gone. */
function coordinate(script: string, containment = 'marker', more: object = {}): Coordinator {
  const env = { PATH, HOME: dir, pids: join(dir, 'pids') };
  const launch = {
    argv: ['bash', '-c', script],
    cwd: dir,
    env,
    limits: { wallMs: 300_000 },
    tailBytesMax: 1 << 20,
    ...more,
  };
  coordinator = startCoordinator(built, { options: { runMark, containment }, launch });
  return coordinator;
}

function pids(): readonly number[] {
  try {
    return readFileSync(join(dir, 'pids'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const living = () => pids().filter(isAlive);

/** Ids of the supervisors of this test's run. */
function supervisors(): readonly number[] {
  const command = `\0${process.execPath}\0${built.supervisorPath}\0SPECLOOP_RUN_MARK=${runMark}\0`;
  return readdirSync('/proc')
    .filter((pid) => `\0${contentOf(`/proc/${pid}/cmdline`)}`.endsWith(command))
    .map(Number);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const AGENT = `
  echo $$ >>$pids
  sleep 300 & echo $! >>$pids
  setsid bash -c 'trap "" TERM; echo $$ >>$pids; while :; do sleep 1; done' &
  (nohup setsid bash -c 'echo $$ >>$pids; exec sleep 300' >/dev/null 2>&1 &)
  env -i bash -c "echo \\$\\$ >>$pids; exec sleep 300" &
  until [ $(wc -l <$pids) = 5 ]; do sleep 0.01; done
  echo begun
  wait`;

describe('a coordinator that is killed', () => {
  test('leaves nothing of what it started, whatever session it is in, and no supervisor (R-DEL-6)', async () => {
    const { pid } = coordinate(AGENT);
    await until('the agent runs', () => coordinator?.lines().includes('begun') === true);
    expect(supervisors()).toHaveLength(1);
    process.kill(pid, 'SIGKILL');
    await until('all are gone', () => living().length === 0);
    expect(pids()).toHaveLength(5);
    await until('the supervisor is gone', () => supervisors().length === 0);
  });

  test('leaves nothing either when its mark is the id of a run, with a dash in it (R-DEL-6)', async () => {
    runMark = `20260101T120000Z-${newMark()}`;
    const { pid } = coordinate(AGENT);
    await until('the agent runs', () => coordinator?.lines().includes('begun') === true);
    process.kill(pid, 'SIGKILL');
    await until('all are gone', () => living().length === 0 && supervisors().length === 0);
  });

  test('leaves nothing either when it dies the moment it has started something (R-DEL-6)', async () => {
    const { pid } = coordinate('echo $$ >>$pids; exec sleep 300');
    await until('the agent runs', () => pids().length === 1);
    process.kill(pid, 'SIGKILL');
    await until('it is gone', () => living().length === 0 && supervisors().length === 0);
  });

  test('leaves nothing of a run when Ctrl-C went to the supervisor too', async () => {
    const { pid } = coordinate(AGENT);
    await until('the agent runs', () => coordinator?.lines().includes('begun') === true);
    await until('the supervisor is ready', () => ignoresSignals(supervisors()[0]));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(supervisors()[0] ?? 0, signal);
    process.kill(pid, 'SIGKILL');
    await until('all are gone', () => living().length === 0 && supervisors().length === 0);
  });

  test('leaves to the next run what its supervisor could not end, and only that (R-DEL-6)', async () => {
    const { pid } = coordinate(AGENT);
    await until('the agent runs', () => coordinator?.lines().includes('begun') === true);
    for (const supervisor of supervisors()) process.kill(supervisor, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await until('both are gone', () => !isAlive(pid) && supervisors().length === 0);
    expect(living()).toHaveLength(5);
    const next = nodeProcesses({ runMark: newMark(), containment: 'marker', supervisorPath: built.supervisorPath });
    expect(await next.reap(newMark())).toEqual([]);
    expect(living()).toHaveLength(5);
    const reaped = await next.reap(runMark);
    expect(living()).toEqual([]);
    expect(reaped).toEqual(expect.arrayContaining([...pids()]));
    await next.close();
  });

  test('leaves nothing of a process namespace (R-DEL-6)', async (context) => {
    const trial = nodeProcesses({ runMark: newMark(), containment: 'namespace', supervisorPath: built.supervisorPath });
    const { works } = await trial.probe();
    await trial.close();
    if (!works) return context.skip();
    const away = '(env -i setsid bash -c "exec -a $HOME sleep 300" >/dev/null 2>&1 &)';
    const isThere = () => readdirSync('/proc').some((id) => contentOf(`/proc/${id}/cmdline`).startsWith(`${dir}\0`));
    const { pid } = coordinate(`${away}; sleep 300`, 'namespace');
    await until('the child got away', isThere);
    process.kill(pid, 'SIGKILL');
    await until('all are gone', () => !isThere() && supervisors().length === 0);
  });
});

describe('a supervisor', () => {
  test("is in a session of its own, in nobody's folder, without the mark of the run, and holds no output open", async () => {
    coordinate('echo begun; sleep 300');
    await until('the agent runs', () => coordinator?.lines().includes('begun') === true);
    const [supervisor = 0] = supervisors();
    expect(sessionOf(supervisor)).toBe(supervisor);
    expect(readlinkSync(`/proc/${supervisor}/cwd`)).toBe('/');
    expect(contentOf(`/proc/${supervisor}/environ`)).toBe(`PATH=${PATH}\0`);
    expect([1, 2].map((fd) => readlinkSync(`/proc/${supervisor}/fd/${fd}`))).toEqual(['/dev/null', '/dev/null']);
  });

  test('keeps no coordinator from leaving, and leaves after it', async () => {
    const { over } = coordinate('exit 3');
    await over;
    const ended = JSON.parse(coordinator?.lines().at(-1) ?? '').ended;
    expect(ended).toMatchObject({ how: 'exited', code: 3 });
    await until('the supervisor is gone', () => supervisors().length === 0);
  });

  test('that is gone is replaced before the next program starts', async () => {
    const processes = nodeProcesses({ runMark, containment: 'marker', supervisorPath: built.supervisorPath });
    const launch = { argv: ['true'], cwd: '/', env: { PATH }, limits: { wallMs: 60_000 }, tailBytesMax: 0 } as const;
    await processes.run(launch);
    const [first = 0] = supervisors();
    process.kill(first, 'SIGKILL');
    await until('the coordinator knows', () => !isThere(first));
    await processes.run(launch);
    expect(supervisors()).toHaveLength(1);
    expect(supervisors()).not.toContain(first);
    await processes.close();
    await until('it was let go', () => supervisors().length === 0);
  });

  test('is there before the first program if that was prepared, and leaves when none came', async () => {
    const processes = nodeProcesses({ runMark, containment: 'marker', supervisorPath: built.supervisorPath });
    processes.prepare();
    expect(supervisors()).toHaveLength(1);
    await processes.close();
    await until('it was let go', () => supervisors().length === 0);
  });

  test('that is not there is reported before anything runs', () => {
    const supervisorPath = join(dir, 'supervisor.js');
    expect(() => nodeProcesses({ runMark, containment: 'marker', supervisorPath })).toThrow(supervisorPath);
  });
});

describe('200 MiB of output cost neither memory nor the words behind them (R-DEL-6)', () => {
  test.each([
    ['in lines of 1 KiB', 'yes "$(printf %01023d 0)" | head -c 209715200', 204_800],
    ['in lines of 50 bytes', 'yes "$(printf %049d 0)" | head -c 209715200', 4_194_304],
    ['in a single line', 'head -c 209715200 /dev/zero | tr "\\0" x; echo', 1],
  ])('%s', async (_, flood, linesWanted) => {
    const logFile = join(dir, 'a.log');
    await coordinate(`${flood}; echo TASK_COMPLETE`, 'marker', { logFile }).over;
    const { ended, lines, peakBytes } = JSON.parse(coordinator?.lines().at(-1) ?? '');
    expect(ended).toMatchObject({ how: 'exited', code: 0, stdout: { truncated: true } });
    expect(ended.stdout.text).toMatch(/\nTASK_COMPLETE\n$/);
    expect(lines).toBe(linesWanted + 1);
    expect(peakBytes).toBeLessThan(200 << 20);
    expect(statSync(logFile).size).toBeLessThan(51 << 20);
  });
});

/** Whether the process is known to the system at all, also as a zombie that its parent did not see yet. */
function isThere(pid: number): boolean {
  return contentOf(`/proc/${pid}/stat`) !== '';
}

function sessionOf(pid: number): number {
  const stat = contentOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}

/** SIGTERM, the last of those that the shell is told to ignore. */
const SIGTERM_BIT = 1n << 14n;

function ignoresSignals(pid: number | undefined): boolean {
  const ignored = /^SigIgn:\s*(\w+)$/m.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? '0';
  return (BigInt(`0x${ignored}`) & SIGTERM_BIT) !== 0n;
}
