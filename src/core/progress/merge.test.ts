import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeLearnings, mergeTaskProgress } from './merge.ts';

const MAIN = '# P\n\n## Completed Tasks\n- [x] 1.1 Base - abc1234\n\n## Learnings\n- the sky is high\n';
const temp = (id: string) =>
  `# P\n\n## Completed Tasks\n- [x] ${id} Task ${id} - abc1234\n\n## Learnings\n- insight of ${id}\n- the sky  is high\n`;

describe('the progress of a task of a batch', () => {
  test('goes to the same sections, in the order it is handed in, once (R-PAR-4)', () => {
    const first = mergeTaskProgress(MAIN, temp('1.2'));
    const both = mergeTaskProgress(first.text, temp('1.3'));
    expect(both).toEqual({
      text: '# P\n\n## Completed Tasks\n- [x] 1.1 Base - abc1234\n- [x] 1.2 Task 1.2 - abc1234\n- [x] 1.3 Task 1.3 - abc1234\n\n## Learnings\n- the sky is high\n- insight of 1.2\n- insight of 1.3\n',
      warnings: [],
    });
    expect(mergeTaskProgress(both.text, temp('1.2')).text).toBe(both.text);
  });

  test('lists a task once, whatever title the agent gave it, and takes its hash (R-PAR-4)', () => {
    const main = '## Completed Tasks\n- [x] 1.2 Login\n';
    const { text } = mergeTaskProgress(main, '## Completed Tasks\n- [x] **1.2**: the login page - def5678\n');
    expect(text).toBe('## Completed Tasks\n- [x] 1.2 Login - def5678\n');
    expect(mergeTaskProgress(text, '## Completed Tasks\n- [x] 1.20 other\n').text).toBe(`${text}- [x] 1.20 other\n`);
  });

  test('entries without an id are distinguished by their words', () => {
    const { text } = mergeTaskProgress(
      '',
      '## Completed Tasks\n- [x] Add login\n- [x] Add logout\n- [x] Add login\n- 20 passing\n',
    );
    expect(text).toBe('## Completed Tasks\n- [x] Add login\n- [x] Add logout\n- 20 passing\n');
  });

  test('a learning of several lines stays together, in the line ends of the main file (R-FILE-5)', () => {
    const { text } = mergeTaskProgress(
      '## Learnings\r\n- a\r\n',
      '## Learnings\n- b:\n  ```\n  c\n  ```\n\n- d\nwords\n',
    );
    expect(text).toBe('## Learnings\r\n- a\r\n- b:\r\n  ```\r\n  c\r\n  ```\r\n- d\r\n');
  });

  test.each([
    [undefined, 'missing'],
    ['', 'empty'],
    [' \n', 'empty'],
    ['\u0000\ufffd garbage', 'neither'],
    ['# P\n- [x] 1.2 not in a section\n', 'neither'],
  ])('%j is a warning and changes nothing (R-PAR-4)', (file, word) => {
    const { text, warnings } = mergeTaskProgress(MAIN, file);
    expect(text).toBe(MAIN);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`${word}.*\\.$`))]);
  });

  test('without a main file makes one, with one section missing takes the other', () => {
    expect(mergeTaskProgress(undefined, '## Learnings\n- a\n')).toEqual({ text: '## Learnings\n- a\n', warnings: [] });
    expect(mergeTaskProgress(undefined, '## Completed Tasks\n')).toEqual({ text: '', warnings: [] });
  });

  test('is cleaned of escapes', () => {
    expect(mergeTaskProgress('', '## Learnings\n- a\u001b[2Jb\n').text).toBe('## Learnings\n- ab\n');
  });

  test('merged twice is merged once, whatever the files are (R-PAR-4)', () => {
    const line = fc.oneof(
      fc.constantFrom('## Completed Tasks', '## Learnings', '## Reviews', '```', '', '- a', '  b', '* a', 'words'),
      fc.constantFrom('- [x] 1.1 x', '- [x] 1.10 y - abc1234', '- [x] 1.1 z - abc1234', '- [ ] 1.2 w', '- [x] title'),
      fc.string({ maxLength: 5 }).map((words) => `- ${words}`),
    );
    const file = fc.array(line, { maxLength: 15 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(file, file, (main, other) => {
        const once = mergeTaskProgress(main, other).text;
        expect(mergeTaskProgress(once, other).text).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});

describe('learnings from a working tree of its own', () => {
  const file = (...learnings: string[]) =>
    `## Completed Tasks\n\n## Learnings\n${learnings.map((l) => `- ${l}\n`).join('')}`;

  test('are added where they are new since the start (R-PAR-3)', () => {
    expect(mergeLearnings(file('a'), file('a', 'b', 'c'), file('a', 'c', 'd'))).toBe(file('a', 'c', 'd', 'b'));
  });

  test('that stood there at the start do not come back when they were removed since', () => {
    expect(mergeLearnings(file('a', 'b'), file('a', 'b'), file('a'))).toBe(file('a'));
  });

  test('are none when a file is missing, and make a file when there is none', () => {
    expect(mergeLearnings(file('a'), undefined, file('a'))).toBe(file('a'));
    expect(mergeLearnings(undefined, undefined, undefined)).toBe('');
    expect(mergeLearnings(undefined, file('a'), undefined)).toBe('## Learnings\n- a\n');
  });
});
