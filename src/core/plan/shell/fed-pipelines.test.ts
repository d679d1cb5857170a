import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { withExitCodes } from './fed-pipelines.ts';

/** How a command ends in bash when it is run as a run runs it. */
function run(command: string): number | null {
  return spawnSync('bash', ['-c', withExitCodes(command)], { encoding: 'utf8' }).status;
}

const red = '(echo "3 failed, 10 passed"; exit 3)';
const green = '(echo "13 passed")';

test.each([
  [`${red} | tail -5`, 3],
  [`${green} | tail -5`, 0],
  [`${red} 2>&1 | grep -v warn | cat | tail -5`, 3],
  [`${red} | grep passed | head -1`, 3],
  [`${green} | grep passed | head -1`, 0],
  [`${red} | grep absent | head -1`, 1],
  [`cd / && ${red} | tail -1 && echo done`, 3],
  [`${red} | tail -1 || echo again`, 0],
  [`set -e; ${red} | tail -1; true`, 3],
  [`( ${red} | tail -1 )`, 3],
  [`{ ${red} | tail -1; } | cat`, 3],
  [`if true; then ${red} | tail -1; fi`, 0],
  [`cat <<E | tail -1\ntext | more\nE\n${red} | cat`, 3],
  [`${red} | tail -1 # why\ntrue`, 0],
  [`set -u; ${red} | tee /dev/null | wc -l`, 3],
  ['ls /no-such-folder 2>&1 | head -1', 2],
])('the failure of the command that feeds a pipe is taken: %s (R-VER-15)', (command, code) => {
  expect(run(command)).toBe(code);
});

test('a command that its reader ended early did not fail, nor a search that finds nothing to count (R-VER-15)', () => {
  expect(run('yes | head -1')).toBe(0);
  expect(run('grep -r no-such-word /dev/null | wc -l')).toBe(0);
  expect(run('grep -r no-such-word /no-such-file | wc -l')).toBe(2);
  expect(run('echo warn | grep -v warn | head -1')).toBe(0);
  expect(run('ls /no-such-file 2>/dev/null | wc -l')).toBe(0);
});

test.each([
  'npm test',
  'set -o pipefail; a | tail',
  'a | tail; test $PIPESTATUS = 0',
  '! a | tail',
  'a | grep -q x',
  'case x in x) a | tail;; esac',
  'a | tail &',
])('any other command is run as written: %s (R-VER-15)', (command) => {
  expect(withExitCodes(command)).toBe(command);
});
