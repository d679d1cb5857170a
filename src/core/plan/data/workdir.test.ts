import { describe, expect, test } from 'vitest';
import { filesFrom, nearestPackage, seenFrom, workdirSentence } from './workdir.ts';

describe('the folder in which agents and commands run (R-API-7, R-UX-1)', () => {
  const packages = (...dirs: readonly string[]) => ({ isPackage: (dir: string) => dirs.includes(dir) });

  test.each([
    ['packages/api/specs/demo', ['packages/api', 'packages'], 'packages/api'],
    ['packages/api/docs/specs/demo', ['packages/api'], 'packages/api'],
    ['packages/api/specs/demo', [], ''],
    ['specs/demo', ['specs', ''], ''],
    ['demo', ['demo'], ''],
    ['.kiro/specs/demo', [''], ''],
  ])('of a spec in %s with packages %j it is %j', (path, dirs, found) => {
    expect(nearestPackage({ path }, packages(...dirs).isPackage)).toBe(found);
  });

  test.each([
    ['packages/api', ['packages/api', 'packages'], 'packages/api'],
    ['packages/api/docs', ['packages/api'], 'packages/api'],
    ['', [''], ''],
  ])('of a single file in %j with packages %j it is %j (R-DIA-3)', (path, dirs, found) => {
    expect(nearestPackage({ path, isSingleFile: true }, packages(...dirs).isPackage)).toBe(found);
  });

  test('is named for people', () => {
    expect(workdirSentence('packages/api/specs/demo', 'packages/api')).toMatch(/run in packages\/api\./);
    expect(workdirSentence('packages/api/specs/demo', '')).toMatch(/run in the repository's root\./);
    expect(workdirSentence('specs/demo', '')).toBeUndefined();
  });
});

describe('entries of Files with a working folder (R-VER-6)', () => {
  test.each([
    ['src/a.ts', ['packages/api/src/a.ts', 'src/a.ts']],
    ['./src/', ['packages/api/src/', 'src/']],
    ['packages/api/src/a.ts', ['packages/api/src/a.ts']],
    ['../shared/b.ts', ['packages/shared/b.ts']],
    ['../../../out.ts', []],
    ['.', ['packages/api']],
  ])('%s stands for %j', (file, paths) => {
    expect(filesFrom('packages/api', [file])).toEqual(paths);
  });

  test('are as written at the root', () => {
    expect(filesFrom('', ['./src/a.ts', '.'])).toEqual(['./src/a.ts', '.']);
  });
});

test.each([
  ['', 'specs/demo', 'specs/demo'],
  ['packages/api', 'packages/api/specs/demo', 'specs/demo'],
  ['packages/api', 'packages/web/specs/demo', '../web/specs/demo'],
  ['packages/api', 'specs/demo', '../../specs/demo'],
  ['packages/api', 'packages/api', '.'],
])('from %j the path %s is %s', (workdir, path, seen) => {
  expect(seenFrom(workdir, path)).toBe(seen);
});
