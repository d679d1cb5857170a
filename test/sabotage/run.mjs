// Plants each sabotage in a copy of the sources and runs the tests that have to notice it. `npm run test:sabotage [-- PART OF A NAME]`
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sabotages } from './sabotages.mjs';

/** How many seeded runs have to be enough to notice a mistake. */
const RUNS = process.env.RUNS ?? '1200';

const root = fileURLToPath(new URL('../..', import.meta.url));
const wanted = process.argv.slice(2);
const copy = mkdtempSync(join(tmpdir(), 'specloop-sabotage-'));

/** What came of a sabotage: the tests fail, as they should, or not, or the code is no longer what the sabotage is for. */
function outcomeOf({ file, find, replace, tests }) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) return 'NOT PLANTED';
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    return run(tests).status === 0 ? 'NOT CAUGHT' : 'caught';
  } finally {
    writeFileSync(path, text);
  }
}

function run(tests) {
  const env = { ...process.env, RUNS };
  return spawnSync('npx', ['vitest', 'run', '--bail', '1', ...tests], { cwd: copy, encoding: 'utf8', env });
}

try {
  for (const part of ['src', 'test', 'scripts', 'plugin', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const chosen = sabotages.filter(({ name }) => wanted.every((part) => name.includes(part)));
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const sound = run(all);
  if (sound.status !== 0) throw new Error(`The tests fail without a sabotage:\n${sound.stdout.slice(-2_000)}`);
  let survived = 0;
  for (const sabotage of chosen) {
    const outcome = outcomeOf(sabotage);
    if (outcome !== 'caught') survived += 1;
    console.log(`${outcome.padEnd(11)} ${sabotage.name}`);
  }
  console.log(`\n${chosen.length - survived} caught, ${survived} not caught or not planted`);
  process.exitCode = survived === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
