import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Launch, Processes } from '../../ports/process.ts';
import { newMark, nodeProcesses } from './node.ts';
import type { Sandbox } from './sandbox.ts';
import { build, startCoordinator, until } from './test-rig.ts';

const built = build();
const { PATH = '' } = process.env;
let root: string;
let home: string;
let work: string;
/** Not the one of the machine, in which all of this is. */
let temporary: string;
let opened: Processes[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-test-')));
  home = join(root, 'home');
  work = join(root, 'work');
  temporary = join(root, 'tmp');
  opened = [];
  for (const dir of [home, work, temporary]) mkdirSync(dir);
});
afterEach(async () => {
  for (const processes of opened) await processes.close();
  rmSync(root, { recursive: true, force: true });
});
afterAll(() => built.remove());

function open(more: Partial<Sandbox> = {}): Processes {
  const sandbox = { home, temporary: [temporary], writable: [], ...more };
  const options = { runMark: newMark(), containment: 'marker', supervisorPath: built.supervisorPath, sandbox } as const;
  const processes = nodeProcesses(options);
  opened.push(processes);
  return processes;
}

function bash(script: string, more: Partial<Launch> = {}): Launch {
  const env = { PATH, HOME: home, TMPDIR: temporary, GIT_CONFIG_NOSYSTEM: '1' };
  return { argv: ['bash', '-c', script], cwd: work, env, limits: { wallMs: 60_000 }, tailBytesMax: 1 << 16, ...more };
}

/** What a script prints on stdout in the sandbox. */
async function printed(script: string, sandbox: Partial<Sandbox> = {}, more: Partial<Launch> = {}): Promise<string> {
  return (await open(sandbox).run(bash(script, more))).stdout.text;
}

/** Each of these paths that a program in the sandbox can make a file in, or write to if it is one. */
async function written(paths: readonly string[], sandbox: Partial<Sandbox> = {}, more: Partial<Launch> = {}) {
  const tries = paths.map(
    (path) => `if [ -d '${path}' ]; then to='${path}/new'; else to='${path}'; fi
    (echo x >>"$to") 2>/dev/null && echo '${path}'`,
  );
  return (await printed(tries.join('\n'), sandbox, more)).split('\n').filter(Boolean);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: work,
    env: { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  });
}

function repository(): void {
  git('init', '--quiet', '--initial-branch', 'main');
  for (const [name, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.invalid'],
  ] as const)
    git('config', name, value);
  write(join(work, 'a.txt'), 'a');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'begin');
}

test.each([
  ['absolute', (path: string) => path],
  ['relative', () => './program'],
])('a program that is named by its %s path is handed to bubblewrap (R-SEC-3)', async (_, named) => {
  const bin = join(root, 'bin');
  mkdirSync(bin);
  const standIn = '#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n';
  writeFileSync(join(bin, 'bwrap'), standIn, { mode: 0o755 });
  const path = join(work, 'program');
  writeFileSync(path, '#!/bin/sh\necho it runs\n', { mode: 0o755 });
  const env = { PATH: `${bin}:${PATH}`, HOME: home };
  const ended = await open().run(bash('', { argv: [named(path)], env }));
  expect(ended).toMatchObject({ how: 'exited', code: 0, stdout: { text: 'it runs\n' } });
});

const trial = nodeProcesses({
  runMark: newMark(),
  containment: 'marker',
  supervisorPath: built.supervisorPath,
  sandbox: { home: tmpdir(), temporary: [], writable: [] },
});
const probe = await trial.probe();
await trial.close();

describe.skipIf(!probe.works)(`in the sandbox${probe.works ? '' : ` (left out: ${probe.problem})`}`, () => {
  test('only the working tree and temporary folders are written, and those are gone afterwards (R-SEC-3)', async () => {
    const beside = join(root, 'beside');
    mkdirSync(beside);
    const allowed = [work, temporary, '/dev/shm'];
    expect(await written([...allowed, beside, home, '/', '/etc', '/usr'])).toEqual(allowed);
    expect([temporary, beside, home].map((dir) => existsSync(join(dir, 'new')))).toEqual([false, false, false]);
    expect(readFileSync(join(work, 'new'), 'utf8')).toBe('x\n');
  });

  test('a temporary folder of the person looks empty, unless it is in the working tree (R-SEC-3)', async () => {
    const [outside, inside] = [join(root, 'outside'), join(work, 'inside')];
    for (const dir of [outside, inside]) write(join(dir, 'kept'), '');
    const script = 'ls $TMPDIR; touch $TMPDIR/mine; ls $TMPDIR';
    const env = { PATH, HOME: home };
    expect(await printed(script, {}, { env: { ...env, TMPDIR: outside } })).toBe('mine\n');
    expect(await printed(script, {}, { env: { ...env, TMPDIR: inside } })).toBe('kept\nkept\nmine\n');
    expect([outside, inside].map((dir) => readdirSync(dir))).toEqual([['kept'], ['kept', 'mine']]);
  });

  test('the places where credentials are look empty, also behind a link (R-SEC-3)', async () => {
    for (const place of ['.aws/credentials', '.config/gh/hosts.yml', '.netrc', '.cargo/credentials.toml', 'keys/id'])
      write(join(home, place), 'canary');
    symlinkSync(join(home, 'keys'), join(home, '.ssh'));
    write(join(home, '.gitconfig'), '[user]\n');
    expect(await printed('grep -rs canary ~ /run; ls -A ~/.ssh/ ~/.aws; cat ~/.netrc')).toBe(
      `${home}/.aws:\n\n${home}/.ssh/:\n`,
    );
  });

  test('what a program or the person needs can be written, also if it is not there yet (R-SEC-3)', async () => {
    const [state, cache, netrc, other] = ['.agent', '.cache/x', '.netrc', '.other'].map((name) => join(home, name));
    if (!state || !cache || !netrc || !other) throw new Error('no paths');
    write(netrc, 'canary');
    write(join(other, 'a'), '');
    const got = await written([state, cache, netrc, other], { writable: [cache, netrc] }, { writable: [state] });
    expect(got).toEqual([state, cache, netrc]);
    expect(readFileSync(netrc, 'utf8')).toBe('canaryx\n');
  });

  test('a place of credentials stays shut in a folder that may be written (R-SEC-3)', async () => {
    write(join(home, '.aws/credentials'), 'canary');
    expect(await written([home], { writable: [home] })).toEqual([home]);
    expect(await printed('cat ~/.aws/credentials', { writable: [home] })).toBe('');
    expect(await printed('cat ~/.aws/credentials', {}, { cwd: home })).toBe('');
  });

  test('the git folder can be read, but neither written nor moved away (R-SEC-3)', async () => {
    repository();
    const dir = join(work, '.git');
    const sandbox = { git: { dir, access: 'read' } } as const;
    expect(await written([dir, join(dir, 'refs/heads'), join(dir, 'hooks'), join(dir, 'config')], sandbox)).toEqual([]);
    const script =
      'echo b >a.txt; git status --short; git add a.txt || mv .git x || rm -rf .git/hooks || git log --format=%s';
    expect(await printed(script, sandbox)).toBe(' M a.txt\nbegin\n');
  });

  test('an agent that commits can do so, but not change what git runs (R-SEC-3)', async () => {
    repository();
    const dir = join(work, '.git');
    rmSync(join(dir, 'hooks'), { recursive: true, force: true });
    mkdirSync(join(dir, '.specloop'));
    mkdirSync(join(work, '.husky'));
    const readOnly = [join(dir, '.specloop')];
    const sandbox = { git: { dir, access: 'write', readOnly }, hooksPath: '.husky' } as const;
    const shut = [join(dir, 'hooks'), join(dir, 'config'), join(dir, '.specloop'), join(work, '.husky')];
    expect(await written([dir, ...shut], sandbox)).toEqual([dir]);
    const script =
      'mv .git x; mv .git/hooks y; mv .husky z; git config core.fsmonitor evil; git commit -qam more && echo done';
    expect(await printed(`echo b >a.txt; ${script}`, sandbox)).toBe('done\n');
    expect(git('log', '--format=%s')).toBe('more\nbegin\n');
  });

  test.each(['read', 'write'] as const)(
    'a worktree of a member stays what it is, with a git folder to %s (R-SEC-3)',
    async (access) => {
      repository();
      const tree = join(root, 'tree');
      git('worktree', 'add', '--quiet', '--detach', tree);
      const [own] = readdirSync(join(work, '.git/worktrees'));
      const ofTree = join(work, '.git/worktrees', own ?? '', 'commondir');
      const sandbox = { git: { dir: join(work, '.git'), access } };
      expect(await written([tree, work, join(tree, '.git'), ofTree], sandbox, { cwd: tree })).toEqual([tree]);
      const commits = await printed('git add --all && git commit -qm more && echo done', sandbox, { cwd: tree });
      expect(commits).toBe(access === 'write' ? 'done\n' : '');
    },
  );

  test('it cannot be left by mounts, and other processes are out of sight (R-SEC-3)', async () => {
    process.env.CANARY_FOR_SANDBOX = 'canary';
    try {
      const script = `
        mount -o remount,rw / || umount /run || unshare -Urm sh -c 'mount -o remount,bind,rw / && touch /etc/new' && echo out
        cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep CANARY
        echo /proc/[0-9]*`;
      expect(await printed(script)).toMatch(/^(\/proc\/[0-9] ?)+\n$/);
    } finally {
      delete process.env.CANARY_FOR_SANDBOX;
    }
  });

  test('the network is there or is not, as the launch says (R-SEC-3)', async () => {
    const ours = readlinkSync('/proc/self/ns/net');
    expect(await printed('readlink /proc/self/ns/net')).toBe(`${ours}\n`);
    const alone = await printed(
      'readlink /proc/self/ns/net; tail -n +3 /proc/net/dev | wc -l',
      {},
      { network: 'deny' },
    );
    expect(alone).toMatch(/^net:\[\d+\]\n1\n$/);
    expect(alone).not.toContain(ours);
  });

  test('a program is started and ended as everywhere (R-DEL-6)', async () => {
    const processes = open();
    const ended = await processes.run(bash('cat; echo "$0" "$1"; exit 5', { stdin: 'prompt\n' }));
    expect(ended).toMatchObject({ how: 'exited', code: 5, stdout: { text: 'prompt\nbash \n' } });
    expect(await processes.run(bash('', { argv: ['no-such-program'] }))).toMatchObject({ reason: 'not-found' });
    const controller = new AbortController();
    const script = 'trap "echo bye; exit 0" TERM; echo begun; while :; do sleep 0.05; done';
    const asked = await processes.run(bash(script, { signal: controller.signal, onLine: () => controller.abort() }));
    expect(asked).toMatchObject({ how: 'killed', by: 'cancel', stdout: { text: 'begun\nbye\n' } });
  });

  test('nothing is left of it when the coordinator is killed, and its supervisor before it (R-DEL-6)', async () => {
    const isThere = () => readdirSync('/proc').some((pid) => commandOf(pid).startsWith(`${root}\0`));
    const script = `(env -i setsid bash -c 'exec -a ${root} sleep 300' >/dev/null 2>&1 &); sleep 300`;
    const options = { runMark: newMark(), sandbox: { home, temporary: [temporary], writable: [] } };
    const { pid, over } = startCoordinator(built, { options, launch: bash(script) });
    await until('it got away', isThere);
    const isSupervisor = (id: string) => commandOf(id).includes(`=${options.runMark}\0`);
    const supervisors = readdirSync('/proc').filter(isSupervisor).map(Number);
    expect(supervisors).toHaveLength(1);
    for (const id of [...supervisors, pid]) process.kill(id, 'SIGKILL');
    await over;
    await until('it is gone', () => !isThere());
  });
});

test('a sandbox that does not work here is reported, with what to do (R-SEC-3)', async () => {
  const bin = join(root, 'bin');
  mkdirSync(bin);
  for (const name of ['mkfifo', 'true'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(bin, name));
  // A program below the folder that the trial runs in would not be used.
  const { TMPDIR } = process.env;
  Object.assign(process.env, { PATH: bin, TMPDIR: mkdtempSync(join(root, 'tmp-')) });
  try {
    const none = await open().probe();
    expect(none).toEqual({ works: false, problem: expect.stringMatching(/bubblewrap fails\. Install .*\.$/) });
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions" >&2\nexit 1\n', { mode: 0o755 });
    symlinkSync('/bin/sh', join(bin, 'sh'));
    expect(await open().probe()).toEqual({ works: false, problem: expect.stringContaining('(bwrap: No permissions)') });
  } finally {
    Object.assign(process.env, { PATH, TMPDIR: TMPDIR ?? '/tmp' });
  }
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
