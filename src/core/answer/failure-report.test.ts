import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURE_FALLBACKS, FAILURE_PLACEHOLDERS, readFailureReport } from './failure-report.ts';

const WHOLE = {
  error: 'File not found: src/parser.ts',
  attemptedFix: 'Checked alternate paths',
  status: 'Blocked, needs manual intervention',
};
const PARTS = ['- Error: File not found: src/parser.ts', '- Attempted fix: Checked alternate paths'];
const STATUS = '- Status: Blocked, needs manual intervention';

const FORMS = [
  ['Task 1.3: Add parser FAILED', ...PARTS, STATUS],
  ['I tried.', '', 'Task 1.3: Add parser FAILED', ...PARTS, STATUS, '', 'Sorry.'],
  ['**Task 1.3: Add parser FAILED**', '', ...PARTS, STATUS],
  ['### Task 1.3: Add parser FAILED', ...PARTS, STATUS],
  ['- Task 1.3: Add parser FAILED', ...PARTS.map((part) => `  ${part}`), `  ${STATUS}`],
  ['Task `1.3`: Add parser **FAILED**', ...PARTS, STATUS],
  ['Task 1.3 FAILED', ...PARTS, STATUS],
  ['Task 1.3: the step that FAILED before FAILED.', ...PARTS, STATUS],
  ['Task 1.3: Add parser — FAILED', STATUS, ...PARTS],
  ['```', 'Task 1.3: Add parser FAILED', ...PARTS, STATUS, '```'],
  [
    'Task 1.3: Add parser FAILED',
    '* **Error**: File not found: src/parser.ts',
    '* **Attempted fix:** Checked alternate paths',
    STATUS,
  ],
  [
    'Task 1.3: Add parser FAILED',
    'error : File not found: src/parser.ts',
    'ATTEMPTED FIX: Checked alternate paths',
    'status: Blocked, needs manual intervention',
  ],
  ['Task 1.3: Add parser FAILED', '- Error: File not found:', '  src/parser.ts', ...PARTS.slice(1), STATUS],
  [
    'Task 1.3: Add parser FAILED',
    '- Error:',
    '  ```',
    '  File not found: src/parser.ts',
    '  ```',
    ...PARTS.slice(1),
    STATUS,
  ],
  ['\u001b[31mTask 1.3: Add parser FAILED\u001b[0m', ...PARTS, STATUS],
  ['Task 1.30: other FAILED', '- Error: other', 'Task 1.3: Add parser FAILED', ...PARTS, STATUS],
  ['Task 1.3: Add parser FAILED', '- Error: an earlier one', '', 'Task 1.3: Add parser FAILED', ...PARTS, STATUS],
  ['Task 1.3: Add parser FAILED', ...PARTS, STATUS, 'Task 1.3.1: fix FAILED', '- Error: other'],
];

describe('the failure report of an agent', () => {
  test.each(FORMS.map((lines) => lines.join('\n')))('is read from %j (R-REC-2)', (answer) => {
    expect(readFailureReport(answer, '1.3')).toEqual(WHOLE);
    expect(readFailureReport(answer.replaceAll('\n', '\r\n'), '1.3')).toEqual(WHOLE);
  });

  test.each([
    '',
    'Hm.',
    'Task 1.30: Add parser FAILED\n- Error: x',
    'Task 1.3.1: Add parser FAILED\n- Error: x',
    'Task 11.3: Add parser FAILED\n- Error: x',
    'Task 1.3: Add parser failed\n- Error: x',
    'The line Task 1.3: Add parser FAILED was printed before.',
    '> Task 1.3: Add parser FAILED\n> - Error: x',
    '- Error: x\n- Attempted fix: y\n- Status: z',
  ])('is not there in %j (R-REC-2)', (answer) => {
    expect(readFailureReport(answer, '1.3')).toBeUndefined();
  });

  test('has the fallbacks for what it leaves out (R-REC-2)', () => {
    expect(readFailureReport('Task 1.3: x FAILED', '1.3')).toEqual({
      error: 'Task execution failed',
      attemptedFix: 'No fix attempted',
      status: 'Unknown status',
    });
    expect(readFailureReport('Task 1.3: x FAILED\n- Error:\n- Status: stuck', '1.3')).toEqual({
      ...FAILURE_FALLBACKS,
      status: 'stuck',
    });
  });

  test('ends a part at the next list item, heading or blank line, so that nothing else slips in (R-REC-4)', () => {
    const answer =
      'Task 1.1: x FAILED\n- Error: bad\n- [ ] 9.9 [P] forged\n- Attempted fix: none\n\n## Phase 9: forged\nmore';
    expect(readFailureReport(answer, '1.1')).toEqual({ error: 'bad', attemptedFix: 'none', status: 'Unknown status' });
  });

  test('keeps emphasis and code inside a part as written', () => {
    expect(readFailureReport('Task 1: x FAILED\n- **Error:** `a ** b` is **not** c', '1')?.error).toBe(
      '`a ** b` is **not** c',
    );
  });

  test('is no report when it only echoes the form that was shown', () => {
    const { error, attemptedFix, status } = FAILURE_PLACEHOLDERS;
    const echo = `Task 1.3: Add parser FAILED\n- Error: ${error}\n- Attempted fix: ${attemptedFix}\n- Status: ${status}`;
    expect(readFailureReport(echo, '1.3')).toBeUndefined();
    expect(readFailureReport(`Task 1.3: x FAILED\n${PARTS.join('\n')}\n${STATUS}\n\n${echo}`, '1.3')).toEqual(WHOLE);
    expect(readFailureReport(echo.replace(error, 'no database'), '1.3')).toEqual({
      ...FAILURE_FALLBACKS,
      error: 'no database',
    });
  });

  test('is bounded, one line a part, without control or hidden characters, whatever was printed', () => {
    const junk = fc.string({ unit: 'binary', maxLength: 50 });
    fc.assert(
      fc.property(junk, fc.integer({ min: 0, max: 5_000 }), (text, times) => {
        const report = readFailureReport(`Task 1.3: x FAILED\n- Error: e${text}${'long '.repeat(times)}`, '1.3');
        expect(report?.error.length).toBeLessThanOrEqual(2_000);
        expect(report?.error).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e\u2028]/);
      }),
    );
  });
});
