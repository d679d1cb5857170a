import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rewrittenFiles } from './rewritten.ts';
import { repository } from './test-rig.ts';

test('a tracked file that is written again is reported, whatever is in it; one that was written before is not (R-VER-12)', async () => {
  const repo = await repository();
  const touch = (path: string, atMs: number) => utimesSync(join(repo.tree.dir, path), atMs / 1000, atMs / 1000);
  await repo.write('same.txt', 'same\n');
  await repo.write('old.txt', 'old\n');
  await repo.sh('add', '--all');
  await repo.sh('commit', '--quiet', '--message', 'files');
  const rewritten = rewrittenFiles(repo.env);
  const begun = Date.now() - 60_000;
  for (const path of ['same.txt', 'old.txt', 'README.md', 'src/a.ts', '.gitignore']) touch(path, begun - 60_000);
  expect(await rewritten(repo.tree, begun)).toEqual([]);
  touch('same.txt', begun + 30_000);
  await repo.git.inspect(repo.tree);
  expect(await rewritten(repo.tree, begun)).toEqual(['same.txt']);
});
