import { describe, expect, test } from 'vitest';
import { usersPaths } from './run/start/users-paths.ts';
import {
  coordinatorFileOf,
  isBookkeeping,
  isOfSpec,
  isPrivate,
  pathInFolder,
  planPathOf,
  privatePatterns,
  progressFileOf,
  type SpecBooks,
  specKey,
  stateFileOf,
} from './spec-files.ts';

const inFolder: SpecBooks = { path: 'specs/demo', format: { file: 'tasks.md' }, progressFile: '.progress.md' };
const single = (path: string, file: string) => {
  const layout = { path, format: { file }, isSingleFile: true } as const;
  return { ...layout, progressFile: progressFileOf(layout) };
};
const namesOf = (spec: SpecBooks) => [stateFileOf(spec), progressFileOf(spec), coordinatorFileOf(spec)];

test('our files have their names in the folder of a spec, and carry that of a plan that is a single file (R-FILE-3, R-DIA-5)', () => {
  const plain = ['.ralph-state.json', '.progress.md', '.coordinator-prompt.md'];
  expect(namesOf(inFolder)).toEqual(plain);
  expect(namesOf(single('', 'tasks.md'))).toEqual(plain);
  expect(namesOf({ ...inFolder, format: { file: '.steps' } })).toEqual(plain);
  expect(namesOf(single('docs', 'Release Plan.md'))).toEqual(plain.map((name) => `.release-plan${name}`));
  expect(namesOf(single('', 'v1.2.md'))[0]).toBe('.v1-2.ralph-state.json');
});

test('a spec is known by its folder, or by its file (R-FILE-6)', () => {
  expect([inFolder, single('docs', 'TODO.md'), single('', 'TODO.md')].map(specKey)).toEqual([
    'specs/demo',
    'docs/TODO.md',
    'TODO.md',
  ]);
  expect([planPathOf(inFolder), planPathOf(single('', 'TODO.md'))]).toEqual(['specs/demo/tasks.md', 'TODO.md']);
  expect(pathInFolder('', 'a/b')).toBe('a/b');
});

describe('of a plan that is a single file', () => {
  const todo = single('docs', 'TODO.md');
  const own = ['TODO.md', '.todo.progress.md', '.todo.ralph-state.json', '.progress-task-0.md'];
  const others = ['other.md', 'requirements.md', '.progress.md', '.other.progress.md', 'sub/TODO.md', 'todo.md'];

  test('the plan and our files for it are of the spec, and nothing else in the folder (R-DIA-5, R-START-2)', () => {
    const paths = [...own, ...others].map((name) => `docs/${name}`);
    const ours = own.map((name) => `docs/${name}`);
    expect(paths.filter((path) => isOfSpec(path, todo))).toEqual(ours);
    expect(paths.filter((path) => isBookkeeping(path, todo))).toEqual(ours);
    expect(usersPaths([...paths, 'TODO.md'], todo)).toEqual([...others.map((name) => `docs/${name}`), 'TODO.md']);
  });

  test('the same holds at the root (R-DIA-5, R-START-2)', () => {
    const root = single('', 'TODO.md');
    const paths = [...own, 'README.md', 'docs/TODO.md', 'src/a.ts'];
    expect(paths.filter((path) => isOfSpec(path, root))).toEqual(own);
    expect(usersPaths(paths, root)).toEqual(['README.md', 'docs/TODO.md', 'src/a.ts']);
  });

  test('private files stay out of commits under both names (R-FILE-8)', () => {
    for (const name of ['.ralph-state.json', '.ralph-state.json.20261129T000000Z.bak', '.coordinator-prompt.md']) {
      expect([isPrivate(`specs/demo/${name}`), isPrivate(`docs/.todo${name}`)]).toEqual([true, true]);
      expect(isPrivate(`docs/todo${name}`)).toBe(false);
    }
    expect(isPrivate('docs/.todo.progress.md')).toBe(false);
    expect(privatePatterns(inFolder)).not.toContain('.*.ralph-state.json*');
    expect(privatePatterns(todo)).toEqual(
      expect.arrayContaining(['.*.ralph-state.json*', '.*.coordinator-prompt.md', '.ralph-state.json*']),
    );
  });
});

test('all that is in the folder of a spec is of it (R-START-2)', () => {
  const paths = ['specs/demo/notes.md', 'specs/demo/.ralph-state.json', 'specs/demo-2/tasks.md', 'src/a.ts'];
  expect(paths.filter((path) => isOfSpec(path, inFolder))).toEqual(paths.slice(0, 2));
  expect(paths.filter((path) => isBookkeeping(path, inFolder))).toEqual(['specs/demo/.ralph-state.json']);
});
