import { readdir, readFile, rm, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isProblem, type Workspaces } from '../../src/ports/workspace.ts';
import { filesBelow, type WorkspaceRig, workspaceRig } from './rig.ts';

let rig: WorkspaceRig;
let locked: string;
beforeEach(async () => {
  rig = await workspaceRig();
  locked = await commitLock('1');
});
afterEach(() => rig.cleanup());

/** Installs "modules", slowly enough that others come in between, and counts how often. */
const INSTALL =
  'echo ran >> "$COUNTER"; mkdir -p build/empty; cat package-lock.json > build/module.js; chmod 755 build/module.js; ln -s module.js build/link';

async function commitLock(version: string): Promise<string> {
  await rig.repo.write('package-lock.json', version);
  await rig.repo.sh('add', 'package-lock.json');
  await rig.repo.sh('commit', '--quiet', '--message', `lock ${version}`);
  return rig.repo.sh('rev-parse', 'HEAD');
}

async function runs(): Promise<number> {
  const text = await readFile(join(rig.repo.beside, 'counter'), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

async function problemOf(workspaces: Workspaces, name = '1.1', signal = new AbortController().signal): Promise<string> {
  const opened = await workspaces.open({ name, base: locked, signal });
  return isProblem(opened) ? opened.problem : 'none';
}

const cached = () =>
  readdir(join(rig.cacheDir, 'specloop/setup')).then(async ([repository = '']) => {
    const dir = join(rig.cacheDir, 'specloop/setup', repository);
    return (await readdir(dir)).map((name) => join(dir, name));
  });

test('the setup runs in the worktree, with the environment it is given, and its output is in its log', async () => {
  process.env.SECRET_OF_THE_TEST = 'secret';
  const setup = rig.setup('pwd; env; echo made > build.log');
  const { tree, read } = await rig.open(rig.workspaces({ setup }), '1.1');
  delete process.env.SECRET_OF_THE_TEST;
  const log = await readFile(join(rig.repo.beside, 'logs/1.1.log'), 'utf8');
  expect(log).toContain(`${tree.dir}\n`);
  expect(log).not.toContain('SECRET_OF_THE_TEST');
  expect(await read('build.log')).toBe('made\n');
});

test('files that were copied are there before the setup runs', async () => {
  await rig.repo.write('a.log', 'copied');
  const { read } = await rig.open(rig.workspaces({ copy: ['a.log'], setup: rig.setup('cat a.log > b.log') }), '1.1');
  expect(await read('b.log')).toBe('copied');
});

test('a setup that fails is reported with what it printed, and leaves no worktree', async () => {
  const workspaces = rig.workspaces({ setup: rig.setup('echo to install; echo no network >&2; exit 7') });
  expect(await problemOf(workspaces)).toMatch(
    /^The setup command "sh -c .+" failed with exit code 7\. Its log is \/.+\/1\.1\.log\. It printed:\nto install\nno network$/,
  );
  expect(await rig.listed()).toEqual([]);
  expect(await workspaces.find('1.1')).toBeUndefined();
});

test.each([
  ['takes too long', ['sleep', '60'], /took longer than 0\.2 s/],
  ['is not there', ['no-such-program'], /could not be started: .*no-such-program/],
] as const)('a setup that %s is told', async (_, argv, what) => {
  const setup = rig.setup('', { argv: [...argv], timeoutMs: 200 });
  expect(await problemOf(rig.workspaces({ setup }))).toMatch(what);
});

test('a run that is stopped ends the setup and what it started (R-DEL-6, R-UX-3)', async () => {
  const stop = new AbortController();
  const setup = rig.setup('echo ran >> "$COUNTER"; sleep 600 & wait');
  const problem = problemOf(rig.workspaces({ setup }), '1.1', stop.signal);
  while ((await runs()) === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await problem).toMatch(/is stopping/);
  expect(await rig.listed()).toEqual([]);
});

test('eight worktrees with the same lock file run the setup once, and have all it made', async () => {
  const workspaces = rig.workspaces({ setup: rig.setup(`${INSTALL}; sleep 0.3`) });
  const names = Array.from({ length: 8 }, (_, n) => `${n}`);
  const opened = await Promise.all(names.map((name) => rig.open(workspaces, name, locked)));
  expect(await runs()).toBe(1);
  for (const { read, tree } of opened) {
    expect(await read('build/link')).toBe('1');
    expect(await filesBelow(join(tree.dir, 'build'))).toEqual(['empty', 'link', 'module.js']);
  }
});

test('a later run finds what the setup made; another lock file or command sets up anew', async () => {
  const open = async (name: string, script: string, base: string) =>
    (await rig.open(rig.workspaces({ setup: rig.setup(script) }), name, base)).read('build/module.js');
  const second = await commitLock('2');
  expect(await open('1', INSTALL, locked)).toBe('1');
  expect(await open('2', INSTALL, locked)).toBe('1');
  expect(await runs()).toBe(1);
  expect(await open('3', INSTALL, second)).toBe('2');
  expect(await open('4', `${INSTALL}; true`, second)).toBe('2');
  expect(await runs()).toBe(3);
});

test('without a lock file every worktree is set up for itself', async () => {
  const workspaces = rig.workspaces({ setup: rig.setup('echo ran >> "$COUNTER"; touch build.log') });
  await Promise.all(['1', '2'].map((name) => rig.open(workspaces, name, rig.base)));
  expect(await runs()).toBe(2);
});

test('no more than three results are kept for a repository, those that were used last', async () => {
  const open = (name: string, more: string) =>
    rig.open(rig.workspaces({ setup: rig.setup(`${INSTALL}${more}`) }), name, locked);
  await open('1', '');
  const [oldest = ''] = await cached();
  for (const n of [2, 3]) await open(`${n}`, `; : ${n}`);
  for (const entry of await cached()) await utimes(entry, 1_000_000, entry === oldest ? 1_000_000 : 2_000_000);
  await open('4', '');
  await open('5', '; : 5');
  expect(await cached()).toHaveLength(3);
  expect(await cached()).toContain(oldest);
  expect(await runs()).toBe(4);
});

test('a result of which a power cut left only a part is not used', async () => {
  const workspaces = rig.workspaces({ setup: rig.setup(INSTALL) });
  await rig.open(workspaces, '1', locked);
  const [entry = ''] = await cached();
  await truncate(join(entry, 'files/build/module.js'), 0);
  for (const name of ['2', '3'])
    expect(await (await rig.open(workspaces, name, locked)).read('build/module.js')).toBe('1');
  expect(await runs()).toBe(2);
});

test.each([
  ['names the place of its worktree', 'pwd > build/where'],
  ['links into its worktree', 'ln -s "$PWD/build/module.js" build/absolute'],
  ['changes what is tracked', 'echo more >> README.md'],
  ['leaves files that nobody ignores', 'touch new.txt'],
  ['changes a file that was copied', 'echo more >> copied.log'],
])('a setup that %s runs for each worktree', async (_, more) => {
  await rig.repo.write('copied.log', 'copied\n');
  const workspaces = rig.workspaces({ copy: ['copied.log'], setup: rig.setup(`${INSTALL}; ${more}`) });
  await Promise.all(['1', '2', '3'].map((name) => rig.open(workspaces, name, locked)));
  expect(await runs()).toBe(3);
});

test('a copied file comes from the user each time, not from what another setup had', async () => {
  const workspaces = rig.workspaces({ copy: ['build/key'], setup: rig.setup(INSTALL) });
  for (const text of ['first', 'second']) {
    await rig.repo.write('build/key', text);
    expect(await (await rig.open(workspaces, text, locked)).read('build/key')).toBe(text);
  }
  expect(await runs()).toBe(1);
  const [entry = ''] = await cached();
  expect(await filesBelow(join(entry, 'files'))).not.toContain('build/key');
});

test('a failed setup is the answer to all who waited for it, and is tried again by the next', async () => {
  const fails = 'echo ran >> "$COUNTER"; sleep 0.3; test -e "$COUNTER.ok"';
  const workspaces = rig.workspaces({ setup: rig.setup(fails) });
  const problems = await Promise.all(['1', '2', '3'].map((name) => problemOf(workspaces, name)));
  expect(new Set(problems).size).toBe(1);
  expect(await runs()).toBe(1);
  await rig.repo.write('../beside/counter.ok', '');
  expect(await problemOf(workspaces)).toBe('none');
});

test('one that is stopped while others wait for its setup leaves it to the next of them (R-UX-3)', async () => {
  const stop = new AbortController();
  const setup = rig.setup('echo ran >> "$COUNTER"; test $(wc -l < "$COUNTER") -gt 1 || sleep 600');
  const workspaces = rig.workspaces({ setup });
  const stopped = problemOf(workspaces, '1', stop.signal);
  while ((await runs()) === 0) await new Promise((resolve) => setImmediate(resolve));
  const waiting = problemOf(workspaces, '2');
  stop.abort();
  expect(await Promise.all([stopped, waiting])).toEqual([expect.stringMatching(/is stopping/), 'none']);
});

test('without a cache folder to write into, worktrees are set up all the same', async () => {
  await rig.repo.write('../beside/cache/specloop/setup', 'in the way');
  const { read } = await rig.open(rig.workspaces({ setup: rig.setup(INSTALL) }), '1', locked);
  expect(await read('build/module.js')).toBe('1');
  await rm(join(rig.cacheDir, 'specloop/setup'));
});
