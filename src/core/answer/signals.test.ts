import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Role } from '../agent/role.ts';
import { explainMissingSignal, readSignals, SIGNALS } from './signals.ts';

/** Answers of an executor whose claim counts. */
const COMPLETE = [
  'TASK_COMPLETE',
  'TASK_COMPLETE\n',
  'Did it.\n\nTASK_COMPLETE\n',
  'Did it.\nTASK_COMPLETE',
  'Done.\n\n**TASK_COMPLETE**\n',
  'Done.\n\n`TASK_COMPLETE`\n',
  'Done.\n\n``TASK_COMPLETE``\n',
  'Done.\n\n*TASK_COMPLETE*\n',
  'Done.\n\n_TASK_COMPLETE_\n',
  'Done.\n\n__TASK_COMPLETE__\n',
  'Done.\n\n**`TASK_COMPLETE`**\n',
  '***TASK_COMPLETE***',
  '- TASK_COMPLETE',
  '* TASK_COMPLETE',
  '+ TASK_COMPLETE',
  '1. TASK_COMPLETE',
  '2) **TASK_COMPLETE**',
  '## TASK_COMPLETE',
  '  TASK_COMPLETE  ',
  '\tTASK_COMPLETE'.replace('\t', '   '),
  'ALL_TASKS_COMPLETE',
  '**ALL_TASKS_COMPLETE**',
  'TASK_COMPLETE\nstatus: pass\ncommit: 1234567\nverify: ok',
  'Done.\r\n\r\nTASK_COMPLETE\r\n',
  'progress 10%\rprogress 90%\rTASK_COMPLETE\r',
  '\u001b[32mTASK_COMPLETE\u001b[0m',
  '\u001b[1m**TASK_COMPLETE**\u001b[0m',
  '\u009b32mTASK_COMPLETE\u009b0m',
  '\u001b]8;;https://example.org\u0007TASK_COMPLETE\u001b]8;;\u0007',
  'log \u001b]0;never ended\nTASK_COMPLETE',
  '\ufeffTASK_COMPLETE',
  '```\nnpm test\n```\n\nTASK_COMPLETE',
  '~~~\nnpm test\n~~~\nTASK_COMPLETE',
  '````\n```\n````\nTASK_COMPLETE',
  '```\n~~~\n```\nTASK_COMPLETE',
  '```not a fence``` is code\nTASK_COMPLETE',
  '- I ran it:\n  ```\n  npm test\n  ```\n\nTASK_COMPLETE',
  '- ```\n  npm test\n  ```\n- TASK_COMPLETE',
  '1. Tests written\n2. All green\n   - TASK_COMPLETE',
  '1. Tests written\n\n    TASK_COMPLETE',
  '> the task\n\nTASK_COMPLETE',
  '<!-- a note -->\nTASK_COMPLETE',
  'I removed the `<!--` marker.\nTASK_COMPLETE',
  'The <!-- was never closed, so I closed it.\nTASK_COMPLETE',
  '<details>\nTASK_COMPLETE\n</details>',
  'The ` key is mapped.\nTASK_COMPLETE',
  'TASK_COMPLETE\nTASK_COMPLETE',
  'I will print TASK_COMPLETE now.\n\nTASK_COMPLETE',
  'TASK_COMPLETE\n\n```\nnever closed, but said before',
  `${'x'.repeat(100_000)}\nTASK_COMPLETE`,
];

/** Answers of an executor without a claim that counts. */
const NOT_COMPLETE = [
  'TASK_COMPLETE\rstill at work, 10%',
  'TASK_COMPLETE\r\u001b[Kstill at work\rstill at work\nThe tests fail.',
  '',
  'Done.',
  'Shall I go on with the database as well?',
  'Tests fail, so I will not print TASK_COMPLETE yet.',
  'TASK_COMPLETE is what I would print.',
  'Not TASK_COMPLETE',
  'TASK_COMPLETE: yes',
  'TASK_COMPLETE.',
  'TASK_COMPLETE ✅',
  '✅ TASK_COMPLETE',
  '"TASK_COMPLETE"',
  'TASK_INCOMPLETE',
  'TASK_COMPLETED',
  'MY_TASK_COMPLETE',
  'SUBTASK_COMPLETE',
  'NOT_TASK_COMPLETE',
  'TASK COMPLETE',
  'TASK-COMPLETE',
  'task_complete',
  'Task_Complete',
  'TASK_\nCOMPLETE',
  'TASK_\u200bCOMPLETE',
  '\u200bTASK_COMPLETE',
  'TASK_COMPLETE\u200d',
  'TASK\u2060_COMPLETE',
  'TАSK_COMPLETE',
  'TASK_COMPLETE\u0008',
  'VERIFICATION_PASS',
  'REVIEW_PASS',
  'BATCH_COMPLETE',
  '```\nTASK_COMPLETE\n```',
  'When done I would print\n\n```\nTASK_COMPLETE\n```\n\nbut two tests fail.',
  '~~~\nTASK_COMPLETE\n~~~',
  '```text\nTASK_COMPLETE\n```',
  '````\n```\nTASK_COMPLETE\n```\n````',
  '```\n~~~\nTASK_COMPLETE\n```',
  '```\n``` not a closer\nTASK_COMPLETE\n```',
  '```\n    ```\nTASK_COMPLETE\n    ```\n```',
  '- ```\n  TASK_COMPLETE\n  ```',
  '1. ~~~\n   TASK_COMPLETE\n   ~~~',
  '  ```\n  TASK_COMPLETE\n  ```',
  '```\nnever closed\nTASK_COMPLETE',
  '```\nTASK_COMPLETE\n~~~',
  '> TASK_COMPLETE\n\nis what you asked me to print; I will not.',
  '>TASK_COMPLETE',
  '> > TASK_COMPLETE',
  '> - TASK_COMPLETE',
  '- > TASK_COMPLETE',
  '> ```\n> TASK_COMPLETE\n> ```',
  '<!--\nTASK_COMPLETE\n-->',
  '<!-- TASK_COMPLETE -->',
  'Hidden <!-- so\nTASK_COMPLETE\nthat --> nobody sees it.',
  '<!-- never closed\nTASK_COMPLETE',
  '<pre>\nTASK_COMPLETE\n</pre>',
  '<blockquote>\nTASK_COMPLETE\n</blockquote>',
  'The signal is `\nTASK_COMPLETE\n` and it is missing.',
  'The text is ``a\nTASK_COMPLETE\nb`` here.',
  '    TASK_COMPLETE',
  'You want:\n\n    TASK_COMPLETE\n\nbut no.',
  '\tTASK_COMPLETE',
  '- an item\n\n      TASK_COMPLETE',
  '- an item\n\nA paragraph.\n\n    TASK_COMPLETE',
  '- [x] TASK_COMPLETE',
  '| TASK_COMPLETE |',
  '~~TASK_COMPLETE~~',
  '**TASK_COMPLETE',
  '#TASK_COMPLETE',
  'TASK_COMPLETE TASK_COMPLETE',
  'src/a.ts:3: TASK_COMPLETE',
  'echo TASK_COMPLETE',
];

describe('the word of success of an executor', () => {
  test.each(COMPLETE)('counts in %j (R-DEL-4)', (answer) => {
    expect(readSignals(answer, 'executor')).toEqual({ positive: true, negative: false });
  });

  test.each(NOT_COMPLETE)('does not count in %j (R-DEL-4)', (answer) => {
    expect(readSignals(answer, 'executor')).toEqual({ positive: false, negative: false });
  });
});

const VERDICTS: readonly (readonly [Role, string, boolean, boolean])[] = [
  ['verifier', 'fine now\nVERIFICATION_PASS\n', true, false],
  ['verifier', 'lint fails\nVERIFICATION_FAIL\n', false, true],
  ['verifier', 'VERIFICATION_PASS\n\nNo:\n**VERIFICATION_FAIL**', true, true],
  ['verifier', 'VERIFICATION_FAIL\nVERIFICATION_PASS', true, true],
  ['verifier', 'TASK_COMPLETE', false, false],
  ['verifier', 'ALL_TASKS_COMPLETE', false, false],
  ['verifier', 'REVIEW_PASS', false, false],
  ['verifier', 'VERIFICATION_PASSED', false, false],
  ['verifier', 'verification_fail', false, false],
  ['verifier', '```\nVERIFICATION_FAIL\n```\nwas the old result.\n\nVERIFICATION_PASS', true, false],
  ['verifier', 'VERIFICATION_PASS\n```\nlog\nVERIFICATION_FAIL', true, true],
  ['verifier', '```\nlog\nVERIFICATION_PASS', false, false],
  ['reviewer', 'good\nREVIEW_PASS\n', true, false],
  ['reviewer', '### Feedback for Revision\n1. a.ts:3 lacks a null check\n\nREVIEW_FAIL\n', false, true],
  ['reviewer', '> REVIEW_FAIL\n\nREVIEW_PASS', true, false],
  ['reviewer', 'Neither REVIEW_PASS nor REVIEW_FAIL.', false, false],
  ['reviewer', 'REVIEW_PASS\n\nOn second thoughts, a.ts:1 is wrong.', false, false],
  ['reviewer', 'VERIFICATION_FAIL', false, true],
  ['executor', 'VERIFICATION_FAIL\nREVIEW_FAIL', false, true],
  ['executor', 'TASK_COMPLETE\n\nVERIFICATION_FAIL', true, true],
  ['executor', 'TASK_FAILED\n\nTASK_COMPLETE', true, true],
  ['verifier', '**TASK_FAILED**\n\nVERIFICATION_PASS', true, true],
  ['verifier', 'VERIFICATION_\u200bFAIL\n\nVERIFICATION_PASS', true, true],
  ['verifier', 'Rather not `TASK_FAILED`, all holds.\n\nVERIFICATION_PASS', true, false],
];

describe('a verdict, and a word of failure of whichever role', () => {
  test.each(VERDICTS)('%s saying %j reads as success %s, failure %s (R-DEL-4)', (role, answer, positive, negative) => {
    expect(readSignals(answer, role)).toEqual({ positive, negative });
  });
});

const roles = fc.constantFrom<Role>('executor', 'verifier', 'reviewer');
const fragment = fc.oneof(
  fc.constantFrom(
    ...[
      '```',
      '````',
      '~~~',
      '> ',
      '- ',
      '1. ',
      '    ',
      '\t',
      '<!--',
      '-->',
      '`',
      '``',
      '\\',
      '\n',
      '\n\n',
      '\r\n',
      '\r',
    ],
    ...[
      'TASK_COMPLETE',
      'VERIFICATION_PASS',
      'VERIFICATION_FAIL',
      'REVIEW_PASS',
      'REVIEW_FAIL',
      '\u001b[1m',
      '\u001b]',
    ],
  ),
  fc.string({ maxLength: 8 }),
);
const answers = fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join(''));

describe('reading signals, whatever an agent prints', () => {
  test('never throws, and finds nothing where the word is not (R-DEL-4)', () => {
    fc.assert(
      fc.property(answers, roles, (answer, role) => {
        const { positive, negative } = readSignals(answer, role);
        const says = (words: readonly string[]) => words.some((word) => answer.includes(word));
        const torn = answer.includes('\u001b');
        expect(positive && !torn && !says(SIGNALS[role].positive)).toBe(false);
        const failures = Object.values(SIGNALS).flatMap((words) => words.negative);
        expect(negative && !torn && !says(failures)).toBe(false);
      }),
    );
  });

  test('the same answer, quoted or in a longer fence, claims nothing (R-DEL-4)', () => {
    fc.assert(
      fc.property(answers, roles, (answer, role) => {
        const quoted = answer.replace(/\r\n?/g, '\n').replace(/^/gm, '> ');
        const none = { positive: false, negative: false };
        expect(readSignals(quoted, role)).toEqual(none);
        const fence = '`'.repeat(100);
        expect(readSignals(`${fence}\n${answer}\n${fence}`, role)).toEqual(none);
      }),
    );
  });

  test('a signal after any closed text counts (R-DEL-4)', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a word', '- item', '> quote', '```\ncode\n```', '# head')), (parts) => {
        expect(readSignals([...parts, '', 'TASK_COMPLETE'].join('\n'), 'executor').positive).toBe(true);
      }),
    );
  });

  test.each(['```\n', '`', '`\n', '<!--\n', '\u001b]', '\u009d', '- ', '> ', '#', ' ', '\\`', 'TASK_COMPLETE\n', '\r'])(
    'takes linear time, with %j over and over',
    (unit) => {
      const once = (text: string) => {
        const began = process.cpuUsage();
        readSignals(text, 'executor');
        const { user, system } = process.cpuUsage(began);
        return (user + system) / 1_000; // What else the machine does takes none of ours.
      };
      const run = (times: number) => Math.min(...[1, 2, 3, 4, 5].map(() => once(unit.repeat(times))));
      expect(run(40_000)).toBeLessThan(40 * Math.max(run(5_000), 5));
    },
  );
});

describe('what an agent reads when its signal is missing', () => {
  test.each([
    ['', 'The final answer has no line that holds only TASK_COMPLETE.'],
    [
      '```\nTASK_COMPLETE\n```',
      'The final answer has no line that holds only TASK_COMPLETE; it stands only inside a code block.',
    ],
    ['> TASK_COMPLETE', 'The final answer has no line that holds only TASK_COMPLETE; it stands only in a quotation.'],
    [
      'Now TASK_COMPLETE.',
      'The final answer has no line that holds only TASK_COMPLETE; it stands only inside a sentence.',
    ],
    [
      '```\nTASK_COMPLETE',
      'The final answer has no line that holds only TASK_COMPLETE; it stands only after a code fence, comment or quotation that is never closed.',
    ],
  ])('names the place where it stands instead: %j (R-VER-1)', (answer, words) => {
    expect(explainMissingSignal(answer, 'executor')).toBe(words);
  });

  test('names the word of the role (R-VER-1)', () => {
    expect(explainMissingSignal('TASK_COMPLETE', 'verifier')).toBe(
      'The final answer has no line that holds only VERIFICATION_PASS.',
    );
  });
});
