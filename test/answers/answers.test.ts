import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Role } from '../../src/core/agent/role.ts';
import { DEFAULT_ADMISSIONS } from '../../src/core/answer/contradiction.ts';
import { judgeAnswer } from '../../src/core/run/judge-answer.ts';

interface Labelled {
  readonly id: string;
  readonly role: Role;
  readonly text: string;
  readonly label: 'complete' | 'not-complete';
}

function judged(file: string) {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const { id, role, text, label } = JSON.parse(line) as Labelled;
    return { id, label, verdict: judgeAnswer(text, role, { taskId: '1.1', admissions: DEFAULT_ADMISSIONS }) };
  });
}

// All of them were looked at while the signs were written, so they prove the rules, not how well these do elsewhere (R-VER-11).
describe.each(['tuning.jsonl', 'held-out.jsonl', 'phrasings.jsonl'])('of the answers in %s', (file) => {
  const answers = judged(file);
  const complete = answers.filter(({ label }) => label === 'complete');
  const unfinished = answers.filter(({ label }) => label === 'not-complete');

  test('no complete one is rejected, and at most one in ten is in doubt (R-VER-11)', () => {
    expect(complete.filter(({ verdict }) => verdict === 'rejected')).toEqual([]);
    const doubted = complete.filter(({ verdict }) => verdict === 'doubt');
    expect(doubted.length, JSON.stringify(doubted)).toBeLessThanOrEqual(complete.length / 10);
  });

  test('at least nineteen of twenty that are not complete are rejected or in doubt (R-VER-11)', () => {
    const taken = unfinished.filter(({ verdict }) => verdict === 'accepted');
    expect(taken.length, JSON.stringify(taken)).toBeLessThanOrEqual(unfinished.length / 20);
  });
});

describe('scripts/answers.mjs', () => {
  const script = join(import.meta.dirname, '../../scripts/answers.mjs');
  const judge = (...args: readonly string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

  test('prints by label how answers are judged (R-VER-11)', () => {
    const { status, stdout } = judge(join(import.meta.dirname, 'held-out.jsonl'));
    expect(status).toBe(0);
    const { complete, 'not-complete': unfinished } = JSON.parse(stdout);
    expect(complete).toMatchObject({ total: expect.any(Number), rejected: 0 });
    expect(unfinished.rejected + unfinished.doubt + unfinished.accepted).toBe(unfinished.total);
  });

  test('names what is wrong with a file and ends with 2', () => {
    const folder = mkdtempSync(join(tmpdir(), 'answers-'));
    const file = join(folder, 'bad.jsonl');
    writeFileSync(
      file,
      '{"role":"executor","text":"x","label":"complete"}\n{"role":"cook","text":"x","label":"complete"}\n',
    );
    expect(judge(file)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('bad.jsonl:2: "role"'),
    });
    writeFileSync(file, 'no json\n');
    expect(judge(file)).toMatchObject({ status: 2, stderr: expect.stringContaining('bad.jsonl:1 is not JSON') });
    expect(judge(join(folder, 'gone'))).toMatchObject({ status: 2, stderr: expect.stringContaining('cannot be read') });
    expect(judge()).toMatchObject({ status: 2, stdout: '' });
    rmSync(folder, { recursive: true });
  });
});
