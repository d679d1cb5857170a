import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeReportFolder, readReport, removeReportFolder } from './report.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'report-'));
  file = join(dir, 'report.json');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function read(text: string) {
  writeFileSync(file, text);
  return readReport(file);
}

test('without a report nothing is said (R-AGT-5)', () => {
  expect(readReport(file)).toEqual({ usage: {}, claims: [] });
});

test('what was spent is read, zero included; what is not reported stays unknown (R-AGT-5, R-DEL-8)', () => {
  expect(read('{"costUsd": 0, "tokens": {"input": 12, "output": 3}}').usage).toEqual({
    costUsd: 0,
    inputTokens: 12,
    outputTokens: 3,
  });
  expect(read('{"tokens": {}}')).toEqual({ usage: {}, claims: [] });
});

test.each([
  ['{"failure": "auth"}', { how: 'unauthenticated' }],
  ['{"failure": "context"}', { how: 'context-overflow' }],
  ['{"failure": "overloaded"}', { how: 'overloaded' }],
  ['{"limit": {}}', { how: 'rate-limited' }],
  [
    '{"limit": {"resetsAt": "2026-11-29T05:00:00+01:00"}}',
    { how: 'rate-limited', resetsAt: '2026-11-29T04:00:00.000Z' },
  ],
  ['{"limit": {}, "failure": "auth"}', { how: 'unauthenticated' }],
])('%s tells how the attempt ended (R-AGT-5)', (text, verdict) => {
  expect(read(text)).toMatchObject({ verdict });
});

test('a question is a claim that a person is needed (R-AGT-5)', () => {
  expect(read('{"question": "Which one?"}').claims).toEqual([{ status: 'needs-input', question: 'Which one?' }]);
});

test.each([
  ['', 'it is not JSON'],
  ['{"costUsd": 1', 'it is not JSON'],
  ['[1]', 'it is not an object'],
  ['null', 'it is not an object'],
  ['{"costUsd": -1}', '"costUsd" is not a number of at least 0'],
  ['{"costUsd": 1e999}', '"costUsd" is not a number of at least 0'],
  ['{"tokens": {"input": "3"}}', '"tokens.input" is not a number of at least 0'],
  ['{"tokens": {"inputs": 3}}', '"tokens" has an unknown field "inputs"'],
  ['{"status": "complete"}', 'it has an unknown field "status"'],
  ['{"failure": "none", "costUsd": 1}', '"failure" is "none", which is none of auth, context, overloaded'],
  ['{"failure": "constructor"}', '"failure" is "constructor", which is none of auth, context, overloaded'],
  ['{"limit": {"resetsAt": "tomorrow"}}', '"limit.resetsAt" is not an instant'],
  ['{"limit": {"resetsAt": "2026-13-41T05:00:00Z"}}', '"limit.resetsAt" is not an instant'],
  ['{"question": " "}', '"question" is not a text'],
  [`{"question": "${'x'.repeat(64 * 1024)}"}`, 'at most 65536 are read'],
])('a report %# that is not as it should be is not used, with a warning (R-AGT-5)', (text, why) => {
  expect(read(text)).toEqual({ usage: {}, claims: [], warnings: [expect.stringContaining(why)] });
});

test('a link, a folder and a pipe in its place are neither followed nor waited for (R-AGT-5)', () => {
  writeFileSync(join(dir, 'other'), '{"costUsd": 1}');
  symlinkSync('other', file);
  expect(readReport(file).warnings).toEqual([expect.stringContaining('it is a symbolic link')]);
  rmSync(file);
  mkdirSync(file);
  expect(readReport(file).warnings).toEqual([expect.stringContaining('it is not a plain file')]);
  rmSync(file, { recursive: true });
  execFileSync('mkfifo', [file]);
  expect(readReport(file).warnings).toEqual([expect.stringContaining('it is not a plain file')]);
});

test('each attempt has a folder of its own for its report, which goes with all that is in it', () => {
  const [one, other] = [makeReportFolder(), makeReportFolder()];
  writeFileSync(one?.file ?? '', 'old');
  removeReportFolder(one?.folder ?? '');
  expect([existsSync(one?.folder ?? ''), existsSync(other?.folder ?? ''), existsSync(other?.file ?? '')]).toEqual([
    false,
    true,
    false,
  ]);
  removeReportFolder(other?.folder ?? '');
});
