import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { taskMarkdown } from '../../core/plan/task-markdown.ts';
import { listSpecs, missingPlan, resolveSpec, specProblems, switchSpec } from './spec-folder.ts';
import type { SpecFolder } from './spec-place.ts';
import type { SpecRoots } from './spec-roots.ts';

let top: string;
let repository: string;
let roots: SpecRoots;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'specloop-folder-')));
  repository = join(top, 'repository');
  mkdirSync(repository);
  roots = { cwd: repository, repository, specsDirs: ['specs', 'packages/api/specs'] };
});
afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

function put(path: string, text = ''): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), text);
}

const folder = (path: string, operand = path.split('/').at(-1) ?? ''): SpecFolder => ({
  name: path.split('/').at(-1) ?? '',
  operand,
  dir: join(repository, path),
  path,
  format: taskMarkdown,
  progressFile: '.progress.md',
});

async function found(name?: string): Promise<SpecFolder> {
  const result = await resolveSpec(roots, name);
  if (!result.ok) throw new Error(result.message);
  return result.spec;
}

describe('a spec by its name', () => {
  test.each(['specs/demo', 'packages/api/specs/demo'])('is found in any root: %s (R-FILE-1)', async (path) => {
    put(`${path}/tasks.md`);
    expect(await found('demo')).toEqual(folder(path));
  });

  test('is found from a folder inside the repository, and reported relative to its root', async () => {
    put('packages/api/specs/demo/tasks.md');
    roots = { cwd: join(repository, 'packages/api'), repository, specsDirs: ['specs'] };
    expect(await found('demo')).toEqual(folder('packages/api/specs/demo'));
  });

  test('that exists in two roots is ambiguous, and both paths are reported (R-FILE-2)', async () => {
    put('specs/demo/tasks.md');
    put('packages/api/specs/demo/tasks.md');
    expect(await resolveSpec(roots, 'demo')).toEqual({
      ok: false,
      message: 'The name "demo" is ambiguous: it matches specs/demo and packages/api/specs/demo.',
      hint: 'Give the path of the one you mean instead of the name, or write it to specs/.current-spec.',
    });
  });

  test('is not ambiguous when one root is given twice', async () => {
    put('specs/demo/tasks.md');
    symlinkSync('specs', join(repository, 'alias'));
    roots = { ...roots, specsDirs: ['specs', './specs/', 'alias'] };
    expect(await found('demo')).toEqual(folder('specs/demo'));
  });

  test('that is not there is refused with those that are', async () => {
    put('specs/other/tasks.md');
    put('packages/api/specs/api/tasks.md');
    expect(await resolveSpec(roots, 'demo')).toEqual({
      ok: false,
      message: 'There is no spec "demo" in specs, packages/api/specs.',
      hint: 'Specs: other, api.',
    });
  });

  test.each([
    ['a link to nowhere', 'nowhere', 'specs/demo is a broken link.'],
    ['a link to itself', 'demo', 'specs/demo is a broken link.'],
    ['a file', '../file', 'specs/demo is a file, not a folder.'],
  ])('in whose place %s stands is told, and hides no other (R-START-1)', async (_, target, message) => {
    put('specs/other/tasks.md');
    put('file');
    symlinkSync(target, join(repository, 'specs/demo'));
    expect(await resolveSpec(roots, 'demo')).toMatchObject({ ok: false, message });
    expect((await listSpecs(roots)).map(({ name }) => name)).toEqual(['other']);
  });

  test('in a repository without specs is refused with how to begin one', async () => {
    expect(await resolveSpec(roots, 'demo')).toMatchObject({
      ok: false,
      hint: 'There are no specs in specs, packages/api/specs. A spec is a folder with a tasks.md; make one with specloop new NAME "GOAL".',
    });
  });

  test.each(['../demo', 'demo/../demo', '/etc', 'De mo', '-x', ''])(
    'that is %j is refused before the disk is looked at (R-FILE-1)',
    async (name) => {
      put('specs/demo/tasks.md');
      expect(await resolveSpec(roots, name)).toMatchObject({
        ok: false,
        message: `${JSON.stringify(name)} is not the name of a spec.`,
      });
    },
  );
});

describe('the active spec', () => {
  test('is a bare name in the default root (R-FILE-2)', async () => {
    put('specs/demo/tasks.md');
    put('packages/api/specs/demo/tasks.md');
    put('specs/.current-spec', '\uFEFFdemo\r\n');
    expect(await found()).toEqual(folder('specs/demo', 'specs/demo'));
  });

  test.each(['./elsewhere/specs/demo', 'elsewhere/specs/demo/'])(
    'is a path in a root that needs no configuration: %s (R-FILE-2)',
    async (path) => {
      put('elsewhere/specs/demo/tasks.md');
      put('specs/.current-spec', `${path}\n`);
      expect(await found()).toEqual(folder('elsewhere/specs/demo', 'elsewhere/specs/demo'));
    },
  );

  test('is the only one with a plan where none is chosen (R-START-1)', async () => {
    put('specs/demo/tasks.md');
    put('specs/notes/research.md');
    expect(await resolveSpec(roots)).toEqual({ ok: true, spec: folder('specs/demo'), isOnly: true });
  });

  test('is unknown without the file, and with an empty one, if there are several', async () => {
    put('specs/demo/tasks.md');
    put('specs/other/tasks.md');
    const refused = {
      ok: false,
      message: 'No spec was named, and none is active.',
      hint: 'Name one, or choose one with "specloop switch". Specs: demo, other.',
    };
    expect(await resolveSpec(roots)).toEqual(refused);
    put('specs/.current-spec', ' \n');
    expect(await resolveSpec(roots)).toEqual(refused);
  });

  test.each([
    ['gone', 'specs/.current-spec names the spec "gone", which does not exist.'],
    ['De mo', 'specs/.current-spec names no spec: "De mo" is not the name of a spec.'],
    ['./', 'The spec folder <top>/repository leads outside the repository, to <top>/repository.'],
    ['../outside/demo', 'The spec folder <top>/outside/demo leads outside the repository, to <top>/outside/demo.'],
    ['/etc', 'The spec folder /etc leads outside the repository, to /etc.'],
  ])('is refused when the file holds %j (R-FILE-2, R-SEC-1)', async (text, message) => {
    put('specs/demo/tasks.md');
    mkdirSync(join(top, 'outside/demo'), { recursive: true });
    put('specs/.current-spec', text);
    const result = await resolveSpec(roots);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(message.replaceAll('<top>', top)) });
  });
});

describe('links', () => {
  test.each(['specs/demo', 'specs'])('%s that leads out of the repository is refused (R-SEC-1)', async (link) => {
    mkdirSync(join(top, 'repository-evil/demo'), { recursive: true });
    mkdirSync(dirname(join(repository, link)), { recursive: true });
    symlinkSync(join(top, 'repository-evil', link === 'specs' ? '' : 'demo'), join(repository, link));
    expect(await resolveSpec(roots, 'demo')).toMatchObject({
      ok: false,
      message: `The spec folder specs/demo leads outside the repository, to ${join(top, 'repository-evil/demo')}.`,
    });
    expect(await listSpecs(roots)).toEqual([]);
  });

  test('a folder that is a link within the repository is used where it leads', async () => {
    put('docs/plans/demo/tasks.md');
    mkdirSync(join(repository, 'specs'));
    symlinkSync('../docs/plans/demo', join(repository, 'specs/demo'));
    expect(await found('demo')).toEqual(folder('docs/plans/demo'));
  });

  test.each(['tasks.md', '.progress.md', '.ralph-state.json'])(
    '%s as a link is refused, wherever it leads (R-SEC-1)',
    async (file) => {
      put('specs/demo/design.md');
      symlinkSync('design.md', join(repository, 'specs/demo', file));
      expect(await resolveSpec(roots, 'demo')).toEqual({
        ok: false,
        message: `specs/demo/${file} is a symbolic link, and specloop does not write through links.`,
        hint: 'Replace it with a real file.',
      });
    },
  );

  test('a repository that is reached by a link is the same', async () => {
    put('specs/demo/tasks.md');
    symlinkSync('repository', join(top, 'alias'));
    roots = { ...roots, cwd: join(top, 'alias'), repository: join(top, 'alias') };
    expect(await found('demo')).toEqual(folder('specs/demo'));
  });
});

test('a spec without tasks is reported as such (R-PARSE-6)', async () => {
  put('specs/demo/design.md');
  const spec = await found('demo');
  expect(await missingPlan(spec)).toEqual({
    ok: false,
    message: 'The spec "demo" has no tasks: specs/demo/tasks.md is missing.',
    hint: 'Write it, with one list item with a box for each task, such as "- [ ] 1.1 Add the login form", or have it drafted: specloop tasks --generate demo',
  });
  put('specs/demo/tasks.md');
  expect(await missingPlan(spec)).toBeUndefined();
});

test('all specs are listed, by root and name, without what is no spec', async () => {
  const specs = ['specs/b', 'specs/a', 'specs/.index', 'specs/Not A Spec', 'packages/api/specs/a'];
  for (const path of specs) put(`${path}/tasks.md`);
  put('specs/.current-spec', 'a');
  put('specs/readme');
  expect((await listSpecs(roots)).map(({ path }) => path)).toEqual(['specs/a', 'specs/b', 'packages/api/specs/a']);
});

test.each([
  ['specs/a', 'a\n'],
  ['packages/api/specs/b', './packages/api/specs/b\n'],
])('switching to %s writes %j, and it is found again (R-FILE-2)', async (path, text) => {
  put('specs/readme');
  put(`${path}/tasks.md`);
  await switchSpec(roots, folder(path));
  expect(readFileSync(join(repository, 'specs/.current-spec'), 'utf8')).toBe(text);
  expect(await found()).toEqual(folder(path));
});

describe('a plan that is a single file', () => {
  const LIST = '# To do\n\n- [ ] Sweep\n- [ ] Cook\n';
  const refusal = async (operand: string) => {
    const result = await resolveSpec(roots, operand);
    return result.ok ? undefined : `${result.message} ${result.hint}`;
  };
  const singleOf = ({ name, operand, path, progressFile, isSingleFile, format: { file, dialect } }: SpecFolder) => ({
    ...{ name, operand, path, progressFile, isSingleFile, file, dialect },
  });

  test.each([
    ['docs/TODO.md', { name: 'todo', path: 'docs', progressFile: '.todo.progress.md', file: 'TODO.md' }],
    ['TODO.md', { name: 'todo', path: '', progressFile: '.todo.progress.md', file: 'TODO.md' }],
    ['docs/Release Plan.md', { name: 'release-plan', path: 'docs', file: 'Release Plan.md' }],
    ['tasks.md', { name: 'tasks', path: '', progressFile: '.progress.md', file: 'tasks.md' }],
  ])('is a spec by the path of %s, next to other files (R-DIA-3, R-DIA-5)', async (path, wanted) => {
    put(path, LIST);
    put('docs/requirements.md', '# Not ours\n');
    const spec = await found(path);
    expect(singleOf(spec)).toMatchObject({ ...wanted, operand: path, isSingleFile: true, dialect: 'checklist' });
    expect(spec.dir).toBe(join(repository, spec.path));
  });

  test('is found by its name once it had a run, and shares the name with no folder (R-FILE-2)', async () => {
    put('docs/TODO.md', LIST);
    expect(await refusal('todo')).toContain('There is no spec "todo"');
    mkdirSync(join(repository, '.git/.specloop/specs/docs%2FTODO.md'), { recursive: true });
    expect(singleOf(await found('todo'))).toMatchObject({ path: 'docs', operand: 'docs/TODO.md' });
    expect((await listSpecs(roots)).map(({ operand }) => operand)).toEqual(['docs/TODO.md']);
    put('specs/todo/tasks.md', LIST);
    expect(await refusal('todo')).toContain('"todo" is ambiguous: it matches specs/todo and docs/TODO.md.');
    expect((await listSpecs(roots)).map(({ operand }) => operand)).toEqual(['specs/todo', 'docs/TODO.md']);
  });

  test('can be the active spec, also where there is no folder of specs (R-FILE-2)', async () => {
    put('TODO.md', LIST);
    await switchSpec(roots, await found('TODO.md'));
    expect(readFileSync(join(repository, 'specs/.current-spec'), 'utf8')).toBe('./TODO.md\n');
    expect(singleOf(await found())).toMatchObject({ name: 'todo', path: '' });
    expect(singleOf(await found('todo'))).toMatchObject({ name: 'todo', path: '' });
  });

  test.each([
    ['src/main.ts', 'src/main.ts is no Markdown file, so it cannot be run. Name a file that ends in .md.'],
    ['docs/.todo.progress.md', 'docs/.todo.progress.md is no Markdown file'],
    ['docs/計画.md', 'No name for a spec can be made from docs/計画.md. Rename it'],
    ['docs/to-do.md', 'docs/to-do.md and docs/To Do.md would both be the spec "to-do"'],
    ['specs/demo/design.md', 'specs/demo/design.md is a file of the spec "demo", not a plan.'],
    ['specs/demo/notes/list.md', 'is a file of the spec "demo", not a plan. Run the spec instead'],
    ['specs/001-a/checklists/ux.md', 'is a checklist of spec-kit about the text of the spec, not a plan.'],
    ['.kiro/steering/product.md', 'belongs to Kiro and is not a plan.'],
  ])('%s is refused (R-DIA-3, R-FILE-1)', async (path, message) => {
    for (const other of ['specs/demo/tasks.md', 'specs/001-a/spec.md', 'docs/To Do.md', path]) put(other, LIST);
    expect(await refusal(path)).toContain(message);
  });

  test('as a link, or with a link for a file that specloop writes, is refused (R-SEC-1)', async () => {
    put('docs/real.md', LIST);
    put('docs/TODO.md', LIST);
    symlinkSync('real.md', join(repository, 'docs/link.md'));
    symlinkSync('real.md', join(repository, 'docs/.todo.ralph-state.json'));
    expect(await refusal('docs/link.md')).toContain('docs/link.md is a symbolic link');
    expect(await refusal('docs/TODO.md')).toContain('docs/.todo.ralph-state.json is a symbolic link');
  });
});

test('a run goes on in the dialect that it was started with, unless the command names another (R-DIA-3)', async () => {
  const forced = async (operand: string) => {
    const { format, isForced } = await found(operand);
    return [format.dialect, isForced];
  };
  put('specs/demo/tasks.md', '- [ ] 1.1 Do it\n');
  put('specs/demo/.ralph-state.json', '{ "dialect": "openspec" }');
  put('TODO.md', '- [ ] Sweep\n');
  put('.todo.ralph-state.json', '{ "dialect": "kiro" }');
  expect([await forced('demo'), await forced('TODO.md')]).toEqual([
    ['openspec', true],
    ['kiro', true],
  ]);
  roots = { ...roots, dialect: 'spec-kit' };
  expect(await forced('demo')).toEqual(['openspec', true]);
  roots = { ...roots, isDialectOfCommand: true };
  expect(await forced('demo')).toEqual(['spec-kit', true]);
  roots = { ...roots, dialect: 'auto' };
  for (const text of ['{ "dialect": "nonsense" }', '{ "dialect": 1 }', 'no JSON', '{}']) {
    put('specs/demo/.ralph-state.json', text);
    expect(await forced('demo')).toEqual(['ralph-specum', undefined]);
  }
});

test('a change of OpenSpec whose schema tracks other files is refused, not read in part (R-DIA-3)', async () => {
  put('openspec/changes/add-export/tasks.md', '- [ ] 1.1 Do it\n');
  put('openspec/changes/add-export/.openspec.yaml', 'schema: flow\n');
  expect((await found('add-export')).format.dialect).toBe('openspec');
  put('openspec/schemas/flow/schema.yaml', 'name: flow\napply:\n  tracks: work/*.md\n');
  const message =
    'The schema "flow" of openspec/changes/add-export tracks tasks in work/*.md, and only tasks.md is read.';
  for (const operand of ['add-export', 'openspec/changes/add-export/tasks.md'])
    expect(await resolveSpec(roots, operand)).toMatchObject({ ok: false, message });
  expect(await specProblems(roots)).toMatchObject([{ name: 'add-export', message: expect.stringContaining(message) }]);
  put('openspec/schemas/flow/schema.yaml', 'name: flow\napply:\n  tracks: tasks.md\n');
  expect((await found('add-export')).format.dialect).toBe('openspec');
});
