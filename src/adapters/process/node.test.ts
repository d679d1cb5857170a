import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Launch, Processes } from '../../ports/process.ts';
import { newMark, nodeProcesses } from './node.ts';
import { build, isAlive, killIfThere, until } from './test-rig.ts';

const built = build();
const { PATH = '' } = process.env;
let dir: string;
let processes: Processes;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'node-test-'));
  processes = open();
});
afterEach(async () => {
  await processes.close();
  for (const pid of pids()) killIfThere(pid);
  rmSync(dir, { recursive: true, force: true });
});
afterAll(() => built.remove());

function open(containment: 'marker' | 'namespace' = 'marker'): Processes {
  return nodeProcesses({ runMark: newMark(), containment, supervisorPath: built.supervisorPath });
}

/** A launch of a bash script, whose `$pids` is a file for ids of processes that have to be gone. */
function bash(script: string, more: Partial<Launch> = {}): Launch {
  const env = { PATH, HOME: dir, pids: join(dir, 'pids') };
  return { argv: ['bash', '-c', script], cwd: dir, env, limits: { wallMs: 60_000 }, tailBytesMax: 1 << 20, ...more };
}

function pids(): readonly number[] {
  try {
    return readFileSync(join(dir, 'pids'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const living = () => pids().filter(isAlive);

/** Children that get away in different ways; each writes its id to `$pids`. */
const CHILDREN = {
  'a child in the background': 'sleep 300 & echo $! >>$pids',
  'a child in a session of its own': 'setsid bash -c "echo \\$\\$ >>$pids; exec sleep 300" &',
  'a grandchild whose parent has left':
    '(nohup setsid bash -c "echo \\$\\$ >>$pids; exec sleep 300" >/dev/null 2>&1 &)',
  'a child that ignores SIGTERM and SIGHUP': 'bash -c "trap \\"\\" TERM HUP; echo \\$\\$ >>$pids; exec sleep 300" &',
  'a child that cleared its environment': 'env -i bash -c "echo \\$\\$ >>$pids; exec sleep 300" &',
};
const WITH_ALL_CHILDREN = `${Object.values(CHILDREN).join('\n')}\nuntil [ $(wc -l <$pids) = 5 ]; do sleep 0.01; done`;

describe('what a program is given', () => {
  test('it gets its arguments as they are, its folder, its variables, and two marks (R-SEC-1, R-SEC-2)', async () => {
    const argv = [
      'node',
      '-p',
      'JSON.stringify([process.argv.slice(1), process.cwd(), process.env])',
      '$HOME; *',
      '',
    ] as const;
    const ended = await processes.run(bash('', { argv: [...argv], env: { PATH, A: 'b' } }));
    expect(ended).toMatchObject({ how: 'exited', code: 0, leftovers: 0 });
    const [args, cwd, env] = JSON.parse(ended.stdout.text);
    expect([args, cwd]).toEqual([['$HOME; *', ''], dir]);
    const SPECLOOP_PROCESS_MARK = expect.stringMatching(/^\w{16,}$/);
    expect(env).toEqual({ PATH, A: 'b', SPECLOOP_RUN_MARK: processes.runMark, SPECLOOP_PROCESS_MARK });
  });

  test('a prompt of any size arrives whole on stdin, where an argument could not hold it (R-DEL-3)', async () => {
    const stdin = `${'0123456789✓\n'.repeat(400_000)}end`;
    const ended = await processes.run(bash('sha256sum', { stdin }));
    expect(ended.stdout.text.slice(0, 64)).toBe(createHash('sha256').update(stdin).digest('hex'));
    const argument = await processes.run(bash('true', { argv: ['echo', stdin] }));
    expect(argument).toMatchObject({ how: 'not-started', reason: 'argument-too-long' });
  });

  test('a program that reads nothing of its prompt is as good as any', async () => {
    const ended = await processes.run(bash('exec true', { stdin: 'x'.repeat(5_000_000) }));
    expect(ended).toMatchObject({ how: 'exited', code: 0 });
  });

  test('without a prompt there is nothing to read', async () => {
    expect((await processes.run(bash('wc -c'))).stdout.text.trim()).toBe('0');
  });

  test('stdin, stdout and stderr can be opened by name', async () => {
    const script = 'cat /dev/stdin; echo out >/dev/stdout; echo both | tee /dev/stderr';
    const ended = await processes.run(bash(`set -e; ${script}`, { stdin: 'in ' }));
    expect(ended).toMatchObject({ how: 'exited', code: 0 });
    expect([ended.stdout.text, ended.stderr.text]).toEqual(['in out\nboth\n', 'both\n']);
  });
});

describe('how a program ends', () => {
  test('its exit code is reported', async () => {
    expect(await processes.run(bash('exit 37'))).toMatchObject({ how: 'exited', code: 37 });
  });

  test('a signal from somebody else is reported (R-DEL-7)', async () => {
    expect(await processes.run(bash('kill -SEGV $$'))).toMatchObject({
      how: 'killed',
      by: 'signal',
      signal: 'SIGSEGV',
    });
  });

  test('one that is not there, may not be run, or has no folder is distinguished (R-DEL-7)', async () => {
    writeFileSync(join(dir, 'plain'), '');
    const run = (more: Partial<Launch>) => processes.run(bash('', more));
    const notFound = {
      how: 'not-started',
      reason: 'not-found',
      message: expect.stringMatching(/^no-such-program .*\.$/),
    };
    expect(await run({ argv: ['no-such-program'] })).toMatchObject(notFound);
    expect(await run({ argv: ['./plain'] })).toMatchObject({ how: 'not-started', reason: 'not-permitted' });
    const failed = { how: 'not-started', reason: 'failed', message: expect.stringContaining(join(dir, 'gone')) };
    expect(await run({ cwd: join(dir, 'gone') })).toMatchObject(failed);
    expect(await run({ argv: ['true', 'a\0b'] })).toMatchObject({ how: 'not-started', reason: 'failed' });
  });

  test('programs that could not be started leave no file open', async () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const fail = () => processes.run(bash('', { argv: ['no-such-program'], stdin: 'x' }));
    for (let round = 0; round < 8; round++) await fail();
    const before = open();
    for (let round = 0; round < 8; round++) await fail();
    await until('the files are closed', () => open() <= before);
  });

  test('past its time it is ended with all it started, whoever ignores SIGTERM (R-DEL-6)', async () => {
    const limits = { wallMs: 1_500 };
    const ended = await processes.run(
      bash(`trap "" TERM; echo begun; ${WITH_ALL_CHILDREN}; wait; sleep 300`, { limits }),
    );
    expect(ended).toMatchObject({ how: 'killed', by: 'wall-timeout', stdout: { text: 'begun\n' } });
    expect(pids()).toHaveLength(5);
    expect(living()).toEqual([]);
  });

  test('silent for too long it is ended, but not while it prints on either stream (R-DEL-6)', async () => {
    const limits = { wallMs: 60_000, idleMs: 2_000 };
    const chatter = 'for i in $(seq 15); do echo o; sleep 0.1; echo e >&2; sleep 0.1; done';
    expect(await processes.run(bash(chatter, { limits }))).toMatchObject({ how: 'exited', code: 0 });
    const silent = await processes.run(bash('echo begun; sleep 300', { limits }));
    expect(silent).toMatchObject({ how: 'killed', by: 'idle-timeout', stdout: { text: 'begun\n' } });
  });
});

describe('cancelling', () => {
  /** Cancels a launch once it has printed its first line. */
  async function cancelled(script: string, more: Partial<Launch> = {}, reason?: string) {
    const controller = new AbortController();
    const onLine = () => controller.abort(reason);
    return processes.run(bash(script, { signal: controller.signal, onLine, ...more }));
  }

  test('a program is asked first, and its last words are heard (R-UX-3)', async () => {
    const ended = await cancelled('trap "echo bye; exit 0" TERM; echo begun; while :; do sleep 0.05; done');
    expect(ended).toMatchObject({ how: 'killed', by: 'cancel', stdout: { text: 'begun\nbye\n' } });
  });

  test('it is asked in the steps it was launched with', async () => {
    const stopSteps = [
      { signal: 'SIGINT', graceMs: 500 },
      { signal: 'SIGTERM', graceMs: 30_000 },
    ] as const;
    const script = 'trap "echo int" INT; trap "echo term; exit" TERM; echo begun; while :; do sleep 0.05; done';
    const ended = await cancelled(script, { stopSteps });
    expect(ended.stdout.text).toBe('begun\nint\nterm\n');
  });

  test('"now" does not ask (R-UX-3)', async () => {
    const ended = await cancelled('trap "echo bye; exit 0" TERM; echo begun; while :; do sleep 0.05; done', {}, 'now');
    expect(ended).toMatchObject({ how: 'killed', by: 'cancel', stdout: { text: 'begun\n' } });
  });

  test('all that the program started goes with it, also what cleared its environment (R-DEL-6)', async () => {
    const stranger = 'env -i setsid bash -c "trap \\"\\" TERM; echo \\$\\$ >>$pids; while :; do sleep 0.1; done" &';
    await cancelled(`${WITH_ALL_CHILDREN}\n${stranger}
      until [ $(wc -l <$pids) = 6 ]; do sleep 0.01; done; echo begun; wait`);
    expect(pids()).toHaveLength(6);
    expect(living()).toEqual([]);
  });

  test('what was cancelled before it began is not started', async () => {
    const ended = await processes.run(bash('echo $$ >>$pids', { signal: AbortSignal.abort() }));
    expect(ended).toMatchObject({ how: 'not-started', reason: 'cancelled' });
    expect(pids()).toEqual([]);
  });
});

describe('what a program leaves behind', () => {
  test('what cleared its environment and began a session is ended, if its parent lived long enough to be seen (R-DEL-6)', async () => {
    const stranger = 'env -i setsid bash -c "echo \\$\\$ >>$pids; exec sleep 300" >/dev/null 2>&1 &';
    const ended = await processes.run(bash(`${stranger} until [ -s $pids ]; do sleep 0.01; done; sleep 4`));
    expect(ended).toMatchObject({ how: 'exited', code: 0, leftovers: 1 });
    expect(living()).toEqual([]);
  });

  test.each(Object.entries(CHILDREN))(
    '%s does not outlive it, holds nothing up, and is counted (R-DEL-6)',
    async (_, child) => {
      const ended = await processes.run(bash(`${child}\nuntil [ -s $pids ]; do sleep 0.01; done; echo done; exit 3`));
      expect(ended).toMatchObject({ how: 'exited', code: 3, stdout: { text: 'done\n' } });
      expect(pids()).toHaveLength(1);
      expect(living()).toEqual([]);
      expect(ended.leftovers).toBeGreaterThanOrEqual(1);
    },
  );

  test('it may put its lock files away', async () => {
    const child = `(trap "rm lock; exit" TERM; touch lock; while :; do sleep 0.05; done) &`;
    await processes.run(bash(`${child}\nuntil [ -e lock ]; do sleep 0.01; done; echo $! >>$pids`));
    expect(readdirSync(dir)).toEqual(['pids']);
  });

  test('one that hides from us cannot hold the output open for long', async () => {
    const hidden = '(env -i setsid bash -c "echo \\$\\$ >>$pids; exec sleep 300" &)';
    const limits = { wallMs: 60_000, graceAfterExitMs: 100 };
    const ended = await processes.run(
      bash(`${hidden}; until [ -s $pids ]; do sleep 0.01; done; echo done`, { limits }),
    );
    expect(ended).toMatchObject({ how: 'exited', code: 0, stdout: { text: 'done\n' } });
    // On a busy machine it may be seen, and ended, before it has hidden: either way it is accounted for.
    expect(ended.leftovers + living().length).toBe(1);
  });

  test('the processes of another launch are not touched', async () => {
    const controller = new AbortController();
    const script = `${CHILDREN['a child in a session of its own']} echo $$ >>$pids; wait`;
    const other = processes.run(bash(script, { signal: controller.signal }));
    await until('the other runs', () => pids().length === 2);
    expect(await processes.run(bash('sleep 300 & exit 0'))).toMatchObject({ how: 'exited', leftovers: 1 });
    expect(living()).toEqual(pids());
    controller.abort();
    await other;
    expect(living()).toEqual([]);
  });
});

describe('what a program prints', () => {
  test('it is kept up to its last bytes, counted, split into lines and logged raw (R-DEL-6)', async () => {
    const lines: string[] = [];
    const logFile = join(dir, 'logs', 'a.log');
    const script = 'printf "a\\xff✓\\nsecond\\n\\nlast"; sleep 0.2; printf "err\\n" >&2';
    const ended = await processes.run(bash(script, { tailBytesMax: 6, logFile, onLine: (line) => lines.push(line) }));
    expect(ended.stdout).toEqual({ text: '\n\nlast', truncated: true, bytes: 18 });
    expect(ended.stderr).toEqual({ text: 'err\n', truncated: false, bytes: 4 });
    expect(lines).toEqual(['a\ufffd✓', 'second', '', 'last']);
    expect(readFileSync(logFile, 'latin1')).toBe('a\xff\xe2\x9c\x93\nsecond\n\nlasterr\n');
    expect(ended).not.toHaveProperty('logFailure');
  });

  test('a line of 5 MB is a line, and one past the limit is cut', async () => {
    const lengths: number[] = [];
    const script = 'head -c 5000000 /dev/zero | tr "\\0" x; echo; echo end';
    const launch = bash(script, { onLine: (line) => lengths.push(line.length) });
    await processes.run(launch);
    await processes.run({ ...launch, lineBytesMax: 1000 });
    expect(lengths).toEqual([5_000_000, 3, 1000, 3]);
  });

  test('signs of life are passed on', async () => {
    let signs = 0;
    const onActivity = () => {
      signs++;
    };
    await processes.run(bash('echo a; sleep 0.2; echo b >&2', { onActivity }));
    expect(signs).toBe(2);
  });

  test('a log that cannot be written does not stop the program, and is reported', async () => {
    writeFileSync(join(dir, 'file'), '');
    const ended = await processes.run(bash('echo a', { logFile: join(dir, 'file', 'a.log') }));
    expect(ended).toMatchObject({
      how: 'exited',
      code: 0,
      stdout: { text: 'a\n' },
      logFailure: expect.stringMatching(/\.$/),
    });
  });

  test('a callback that throws ends the program, and the caller hears of it', async () => {
    const onLine = () => {
      throw new Error('a bug of the caller');
    };
    await expect(processes.run(bash('echo $$ >>$pids; echo a; sleep 300', { onLine }))).rejects.toThrow(
      'a bug of the caller',
    );
    expect(pids()).toHaveLength(1);
    expect(living()).toEqual([]);
  });
});

describe('closing', () => {
  test('ends at once all that runs, and nothing is started afterwards (R-UX-3)', async () => {
    const script = `trap "" TERM; ${WITH_ALL_CHILDREN}; echo $$ >>$pids; sleep 300`;
    const running = processes.run(bash(script));
    await until('all run', () => pids().length === 6);
    await processes.close();
    expect(living()).toEqual([]);
    expect(await running).toMatchObject({ how: 'killed', by: 'cancel' });
    expect(await processes.run(bash('echo $$ >>$pids'))).toMatchObject({ how: 'not-started', reason: 'cancelled' });
    expect(pids()).toHaveLength(6);
  });

  test('ends at once a program that was asked to leave and takes its time', async () => {
    const controller = new AbortController();
    const stopSteps = [{ signal: 'SIGTERM', graceMs: 300_000 }] as const;
    const script = 'trap "echo asked" TERM; echo begun; while :; do sleep 0.05; done';
    const onLine = (line: string) => (line === 'begun' ? controller.abort() : void processes.close());
    const ended = await processes.run(bash(script, { signal: controller.signal, stopSteps, onLine }));
    expect(ended).toMatchObject({ how: 'killed', by: 'cancel', stdout: { text: 'begun\nasked\n' } });
  });
});

describe('marks', () => {
  test.each(['', 'short', 'with blank in the midst', `${'a'.repeat(20)}\0`])(
    '%j is no mark of a run',
    async (runMark) => {
      expect(() => nodeProcesses({ runMark, containment: 'marker', supervisorPath: built.supervisorPath })).toThrow(
        'mark',
      );
      expect(await processes.reap(runMark)).toEqual([]);
    },
  );

  test('new ones differ and are good', () => {
    expect(newMark()).not.toBe(newMark());
  });
});

const namespaces = await open('namespace').probe();

describe.skipIf(!namespaces.works)('in a process namespace', () => {
  beforeEach(() => {
    processes = open('namespace');
  });

  test('a program sees only itself, and its exit code is reported', async () => {
    const ended = await processes.run(bash('echo /proc/[0-9]*; cat; exit 5', { stdin: 'prompt' }));
    expect(ended).toMatchObject({ how: 'exited', code: 5, stdout: { text: '/proc/1 /proc/2\nprompt' } });
  });

  test('nothing it started is left, also what cleared its environment and got away (R-DEL-6)', async () => {
    const away = '(env -i setsid bash -c "exec -a $HOME sleep 300" >/dev/null 2>&1 &)';
    const isThere = () => readdirSync('/proc').some((pid) => commandOf(pid).startsWith(dir));
    const running = processes.run(bash(`${away}; until [ -e stop ]; do sleep 0.01; done`));
    await until('it got away', isThere);
    writeFileSync(join(dir, 'stop'), '');
    await running;
    await until('it is gone', () => !isThere());
  });

  test('a program is asked first (R-UX-3)', async () => {
    const controller = new AbortController();
    const script = 'trap "echo bye; exit 0" TERM; echo begun; while :; do sleep 0.05; done';
    const ended = await processes.run(bash(script, { signal: controller.signal, onLine: () => controller.abort() }));
    expect(ended).toMatchObject({ how: 'killed', by: 'cancel', stdout: { text: 'begun\nbye\n' } });
  });

  test.each([
    ['absolute', (path: string) => path],
    ['relative', (path: string) => `./${basename(path)}`],
  ])('a program that is named by its %s path is started (R-DEL-6)', async (_, named) => {
    const path = join(dir, 'program');
    writeFileSync(path, '#!/bin/sh\necho it runs\n', { mode: 0o755 });
    const ended = await processes.run(bash('', { argv: [named(path)] }));
    expect(ended).toMatchObject({ how: 'exited', code: 0, stdout: { text: 'it runs\n' } });
  });

  test('one that is not there is reported', async () => {
    const ended = await processes.run(bash('', { argv: ['no-such-program'] }));
    expect(ended).toMatchObject({ how: 'not-started', reason: 'not-found' });
  });
});

test('namespaces that do not work here are reported, and nothing runs without them (R-DEL-6)', async () => {
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  for (const name of ['mkfifo', 'true'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(bin, name));
  process.env.PATH = bin;
  try {
    processes = open('namespace');
    expect(await processes.probe()).toEqual({ works: false, problem: expect.stringMatching(/namespace.*\.$/) });
    const ended = await processes.run(bash('echo $$ >>$pids'));
    expect(ended).toMatchObject({ how: 'not-started', reason: 'failed', message: expect.stringMatching(/namespace/) });
    expect(pids()).toEqual([]);
  } finally {
    process.env.PATH = PATH;
  }
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
