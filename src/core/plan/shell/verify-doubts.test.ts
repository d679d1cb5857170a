import { expect, test } from 'vitest';
import { proofDoubt, provesNothing } from './verify-doubts.ts';

function doubt(command: string): string {
  const found = proofDoubt(command);
  if (found?.kind !== 'fed') return found?.kind ?? 'none';
  const feeders = found.pipelines.map(({ feeder }) => command.slice(feeder.from, feeder.to));
  return `${found.isWhole ? 'whole' : 'part'}: ${feeders.join(', ')}`;
}

test.each([
  ['npm test 2>&1 | tail -5', 'npm test 2>&1'],
  ['cd app && npm test | head -20', 'npm test'],
  ['npm test | tee log.txt | tail', 'npm test'],
  ['npm test 2>&1 | grep -v warn | tail -20', 'npm test 2>&1'],
  ['npm test 2>&1 | grep -E "passed|failed" | tail -1', 'npm test 2>&1'],
  ['grep -n "logger" a.py | head -3', 'grep -n "logger" a.py'],
  ['ls shots/a-*.png | wc -l', 'ls shots/a-*.png'],
  ['(cd app; npm test) | cat', '(cd app; npm test)'],
  ['npm test | sed -n 1,5p', 'npm test'],
  ['gh pr view --json state | jq -r .state', 'gh pr view --json state'],
])('a pipe into a command that only passes text on hides an exit code: %s (R-VER-15)', (command, feeder) => {
  expect(doubt(command)).toMatch(/^(whole|part): /);
  expect(doubt(command).endsWith(`: ${feeder}`)).toBe(true);
  expect(provesNothing(command)).toBe(false);
});

test('where another command can still fail, only the hidden exit code is in doubt (R-VER-15)', () => {
  expect(doubt('make | tail -5 && grep -q x a')).toBe('part: make');
  expect(doubt('make | tail -5')).toBe('whole: make');
});

test.each([
  'wc -l a.txt | awk \'{print ($1 <= 200) ? "PASS" : "FAIL"}\'',
  'grep -c x a.txt | awk \'{if ($1 > 1) print "PASS"; else print "FAIL"}\'',
  'grep -r TODO src | grep -v vendor | wc -l',
  'ls old* 2>/dev/null | wc -l',
  'npx tsc --noEmit 2>&1 | grep "error" | head',
  'cat a.txt',
  'git diff',
  'git status && echo ready',
  "sed -n '5p' a.ts",
  'npm test; git log -1',
])('a command that only shows something is in doubt: %s (R-VER-15)', (command) => {
  expect(doubt(command)).toBe('only-shows');
  expect(provesNothing(command)).toBe(true);
});

test.each([
  'npm test || true',
  'a || exit 0',
  'npm test\ntrue',
  'npm test &',
  'diff a b && echo same || echo different',
  'case x in x) false;; esac; echo done',
])('a command that succeeds whatever happens is in doubt: %s (R-VER-15)', (command) => {
  expect(doubt(command)).toBe('always-succeeds');
});

test.each([
  'npm test',
  'npm test | grep -q passed && echo PASS',
  'set -o pipefail; npm test | tail -5',
  'npm test | tail -5; exit $PIPESTATUS',
  '! grep -rn TODO src | head',
  "wc -l a | awk '{exit ($1 > 200)}'",
  'cat hooks.json | jq .',
  "jq -e '.a' x.json",
  'sort -c a.txt',
  'ls dist/app.js',
  'git diff --exit-code',
  'grep -c x a',
  'test "$(npm test | tail -1)" = ok',
  'a || exit 1\nb || exit 1\necho done',
  'set -e; npm test; echo done',
  'for f in *.sh; do bash -n "$f" || exit 1; done && echo ok',
])('a command that can fail is not in doubt: %s (R-VER-15)', (command) => {
  expect(doubt(command)).toBe('none');
});

test.each([
  ["bash -c 'npm test | tail -5'", 'only-shows'],
  ["sh -c 'npm test; true'", 'always-succeeds'],
  ["bash -lc 'npm test || true'", 'always-succeeds'],
  ['npm test & wait', 'always-succeeds'],
  ["bash -c 'npm test'", 'none'],
  ["bash -ec 'npm test; echo done'", 'none'],
  ["bash -o pipefail -c 'npm test | tail -5'", 'none'],
  ['bash scripts/check.sh', 'none'],
  ['npm start & npm test; wait $!', 'none'],
])('the script of a shell is looked into, and waiting for all says nothing: %s (R-VER-15)', (command, expected) => {
  expect(doubt(command)).toBe(expected);
});
