import { describe, expect, test } from 'vitest';
import { addNote, setFixHistory } from './notes.ts';

const FILE = '# P\n\n## Completed Tasks\n- [x] 1.1 Base\n\n## Learnings\n- high\n';

describe('the history of fixes', () => {
  test('stands before the learnings, a line a task (R-REC-7)', () => {
    const one = setFixHistory(FILE, { id: '1.3', fixes: ['1.3.1'], final: 'PASS' });
    expect(one).toBe(
      '# P\n\n## Completed Tasks\n- [x] 1.1 Base\n\n## Fix Task History\n- Task 1.3: 1 fix attempted (1.3.1) - Final: PASS\n\n## Learnings\n- high\n',
    );
    const two = setFixHistory(one, { id: '2.1', fixes: ['2.1.1', '2.1.2'], final: 'FAIL (max limit)' });
    expect(two).toContain(
      '(1.3.1) - Final: PASS\n- Task 2.1: 2 fixes attempted (2.1.1, 2.1.2) - Final: FAIL (max limit)\n\n## Learnings',
    );
  });

  test('replaces the line of the same task and no other (R-REC-7)', () => {
    const open = setFixHistory(FILE, { id: '1.3', fixes: ['1.3.1'], final: undefined });
    expect(open).toContain('- Task 1.3: 1 fix attempted (1.3.1)\n');
    const other = setFixHistory(open, { id: '1.30', fixes: ['1.30.1'], final: 'PASS' });
    const closed = setFixHistory(other, { id: '1.3', fixes: ['1.3.1', '1.3.2'], final: 'PASS' });
    expect(closed).toContain(
      '## Fix Task History\n- Task 1.3: 2 fixes attempted (1.3.1, 1.3.2) - Final: PASS\n- Task 1.30: 1 fix attempted (1.30.1) - Final: PASS\n',
    );
    expect(setFixHistory(closed, { id: '1.3', fixes: ['1.3.1', '1.3.2'], final: 'PASS' })).toBe(closed);
  });

  test.each([
    [undefined, '## Fix Task History\n- Task 1: 1 fix attempted (1.1) - Final: PASS\n'],
    [
      '## Learnings\r\n- x\r\n',
      '## Fix Task History\r\n- Task 1: 1 fix attempted (1.1) - Final: PASS\r\n\r\n## Learnings\r\n- x\r\n',
    ],
    [
      '## Learnings\n- x\n\n## Completed Tasks\n- [x] 0 a\n',
      '## Fix Task History\n- Task 1: 1 fix attempted (1.1) - Final: PASS\n\n## Learnings\n- x\n\n## Completed Tasks\n- [x] 0 a\n',
    ],
    [
      '## Fix Task History\r\n- Task 1: old\r\n- y',
      '## Fix Task History\r\n- Task 1: 1 fix attempted (1.1) - Final: PASS\r\n- y',
    ],
  ])('in %j gives %j (R-FILE-5)', (before, after) => {
    expect(setFixHistory(before, { id: '1', fixes: ['1.1'], final: 'PASS' })).toBe(after);
  });

  test('leaves the same words in another section alone', () => {
    const text = '## Learnings\n- Task 1.3: was hard\n';
    expect(setFixHistory(text, { id: '1.3', fixes: ['1.3.1'], final: 'PASS' })).toContain('- Task 1.3: was hard');
  });
});

describe('a note', () => {
  test('is one bullet at the end of its section, made when missing, in its place (R-MOD-4, R-VER-7)', () => {
    expect(addNote(FILE, 'Learnings', 'Split task 2.1:\nit is too big')).toBe(
      `${FILE}- Split task 2.1: it is too big\n`,
    );
    expect(addNote(FILE, 'Review Suggestions', 'AC-3 is vague')).toBe(
      `${FILE}\n## Review Suggestions\n- AC-3 is vague\n`,
    );
    expect(addNote(addNote(FILE, 'Review Suggestions', 'b'), 'Reviews', 'a')).toBe(
      `${FILE}\n## Reviews\n- a\n\n## Review Suggestions\n- b\n`,
    );
  });

  test('stands there once (R-ADV-2)', () => {
    const once = addNote(FILE, 'Reviews', 'Task 1.1 accepted with findings');
    expect(addNote(once, 'Reviews', 'Task 1.1 accepted with findings')).toBe(once);
    expect(addNote(once, 'Reviews', 'Task 1.1 accepted')).not.toBe(once);
    expect(addNote(once, 'Learnings', 'Task 1.1 accepted with findings')).not.toBe(once);
  });
});
