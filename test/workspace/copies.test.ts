import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { taskMarkdown } from '../../src/core/plan/task-markdown.ts';
import { type WorkspaceRig, workspaceRig } from './rig.ts';

let rig: WorkspaceRig;
beforeEach(async () => {
  rig = await workspaceRig();
});
afterEach(() => rig.cleanup());

/** Ignores, in a file that is not committed. */
const ignore = (...lines: readonly string[]) => rig.repo.write('.git/info/exclude', `${lines.join('\n')}\n`);

test('ignored files that the setting or the include file names are copied, others are not', async () => {
  const { repo } = rig;
  await ignore('.env*', '/local/');
  for (const path of ['.env', '.env.test', 'src/.env', 'local/key', 'local/deep/key', 'build/out.js', 'untracked.txt'])
    await repo.write(path, path);
  await repo.write('.worktreeinclude', '# what the app reads\r\n.env\r\n\r\nuntracked.txt\r\nREADME.md\r\n');
  await repo.write('README.md', 'changed by the user\n');
  const { read, sh } = await rig.open(rig.workspaces({ copy: ['/local/deep/'] }), '1.1');
  for (const path of ['.env', 'src/.env', 'local/deep/key']) expect(await read(path)).toBe(path);
  for (const path of ['.env.test', 'local/key', 'build/out.js', 'untracked.txt', '.worktreeinclude'])
    expect(await read(path)).toBeUndefined();
  expect(await read('README.md')).toBe('hello\n');
  expect(await sh('status', '--porcelain')).toBe('');
});

test('the private files of a run are never copied, whatever is named (R-FILE-8)', async () => {
  await ignore('/specs/', '.current-spec');
  const names = ['.ralph-state.json', '.ralph-state.json.bak', '.progress-task-0.md', 'x.specloop-tmp'];
  for (const name of names) await rig.repo.write(`specs/demo/${name}`, '{}');
  await rig.repo.write('specs/.current-spec', 'demo');
  await rig.repo.write('specs/demo/research.md', 'found\n');
  const { read } = await rig.open(rig.workspaces({ copy: ['*'] }), '1.1');
  expect(await read('specs/demo/research.md')).toBe('found\n');
  for (const path of ['specs/.current-spec', ...names.map((name) => `specs/demo/${name}`)])
    expect(await read(path)).toBeUndefined();
});

test('texts of a spec that the commit does not hold are copied, as they stand (R-START-6)', async () => {
  const { repo } = rig;
  await ignore('/specs/ignored/');
  for (const name of ['tasks.md', '.progress.md', 'design.md', 'notes.txt', '.ralph-state.json', '.progress-task-1.md'])
    await repo.write(`specs/ignored/${name}`, name);
  await symlink(join(repo.tree.dir, 'README.md'), join(repo.tree.dir, 'specs/ignored/link.md'));
  await mkdir(join(repo.tree.dir, 'specs/ignored/folder.md'));
  const workspaces = rig.workspaces({ spec: { name: 'ignored', path: 'specs/ignored', format: taskMarkdown } });
  const { sh, files } = await rig.open(workspaces, '1.1');
  expect(await files.read('tasks.md')).toBe('tasks.md');
  expect((await sh('ls-files', '--others', 'specs')).split('\n').toSorted()).toEqual([
    'specs/ignored/.progress.md',
    'specs/ignored/design.md',
    'specs/ignored/tasks.md',
  ]);
});

test('a file of the spec that the commit holds comes from the commit, not from the user', async () => {
  await rig.repo.write('specs/demo/tasks.md', 'changed\n');
  const { files } = await rig.open(rig.workspaces(), '1.1');
  expect(await files.read('tasks.md')).toBe('- [ ] 1.1 Do it\n');
});

test('of a plan that is a single file only the plan and our files are copied (R-DIA-5, R-PAR-3)', async () => {
  const { repo } = rig;
  await ignore('/docs/');
  for (const name of ['TODO.md', '.todo.progress.md', '.todo.ralph-state.json', 'other.md', 'requirements.md'])
    await repo.write(`docs/${name}`, name);
  const spec = { name: 'todo', path: 'docs', format: { file: 'TODO.md' }, isSingleFile: true } as const;
  const { sh, files } = await rig.open(rig.workspaces({ spec }), '1.1');
  expect(await files.read('TODO.md')).toBe('TODO.md');
  expect((await sh('ls-files', '--others', 'docs')).split('\n').toSorted()).toEqual([
    'docs/.todo.progress.md',
    'docs/TODO.md',
  ]);
});

test('copies of an uncommitted spec are no work to be kept, changes of them are (R-RETRY-4)', async () => {
  await rig.repo.write('specs/new/tasks.md', '- [ ] 1.1 Do it\n');
  await rig.repo.write('specs/new/.progress.md', '# Progress\n');
  const workspaces = rig.workspaces({ spec: { name: 'new', path: 'specs/new', format: taskMarkdown } });
  await rig.open(workspaces, '1.1');
  expect(await workspaces.prune()).toEqual([]);
  await (await rig.open(workspaces, '1.1')).write('specs/new/.progress.md', '# Progress\n- learnt\n');
  const [ref = ''] = await workspaces.prune();
  expect(await rig.repo.sh('show', '--format=', '--name-only', ref)).toBe('specs/new/.progress.md');
});
