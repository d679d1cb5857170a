import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFindings, readReview } from './review.ts';

const CASES: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  [
    'a numbered list below the heading',
    '### Feedback for Revision\n1. a.ts:3 lacks a null check\n\nREVIEW_FAIL\n',
    ['a.ts:3 lacks a null check'],
    [],
  ],
  [
    'only what stands below the heading, when there is one',
    '## Strengths\n- clean code\n\n## Feedback for Revision\n- a\n- b\n\n## Summary\n- all in all fine\n\nREVIEW_FAIL',
    ['a', 'b'],
    [],
  ],
  [
    'all items, when there is no such heading',
    'I saw:\n\n- one thing\n* another thing\n\nREVIEW_FAIL',
    ['one thing', 'another thing'],
    [],
  ],
  [
    'the whole text, when there is no list',
    'The parser does not\nhandle CRLF.\n\nREVIEW_FAIL',
    ['The parser does not handle CRLF.'],
    [],
  ],
  [
    'lines that go on with an item',
    '## Issues\n1. first\n   goes on\n   - and deeper\n\n   still\n2. second\nlazily\n\nBye.',
    ['first goes on - and deeper still', 'second lazily'],
    [],
  ],
  [
    'code that belongs to an item',
    '## Issues\n1. first:\n   ```ts\n   # no heading\n   - no item\n   ```\n2. second',
    ['first: ```ts # no heading - no item ```', 'second'],
    [],
  ],
  ['items that praise are none', '- ✅ tests pass\n- [x] builds\n- PASS: lint\n- a leak', ['a leak'], []],
  [
    'tags decide',
    '## Findings\n- [spec] FR-2 contradicts FR-3\n- **[spec]**: unclear\n- [code] tasks.md is parsed twice',
    ['tasks.md is parsed twice'],
    ['FR-2 contradicts FR-3', 'unclear'],
  ],
  [
    'that a document has to change',
    '## Findings\n- requirements.md has to say how often is tried again\n- Clarify the design: who closes it?\n- the limit is not tested',
    ['the limit is not tested'],
    ['requirements.md has to say how often is tried again', 'Clarify the design: who closes it?'],
  ],
  [
    'that a document has to change, and the code as well, or a thing named like a document, is about the code',
    '- design.md must be updated: the handler ignores the limit\n- requirements.md should state it; the code has none\n- Clarify the spec and fix the pager\n- Correct the requirements parsing\n- Change the design of the cache\n- tasks.md should name the test, which is missing',
    [
      'design.md must be updated: the handler ignores the limit',
      'requirements.md should state it; the code has none',
      'Clarify the spec and fix the pager',
      'Correct the requirements parsing',
      'Change the design of the cache',
      'tasks.md should name the test, which is missing',
    ],
    [],
  ],
  [
    'that documents have to change in two clauses',
    '- Update the requirements: FR-3 contradicts FR-1.\n- Clarify requirements.md and the design.',
    [],
    ['Update the requirements: FR-3 contradicts FR-1.', 'Clarify requirements.md and the design.'],
  ],
  [
    'a mere mention of a document',
    '## Findings\n- The handler accepts expired tokens, which requirements.md 2.3 forbids.\n- requirements.md 2.3 must be met\n- design.md wants a cache',
    [
      'The handler accepts expired tokens, which requirements.md 2.3 forbids.',
      'requirements.md 2.3 must be met',
      'design.md wants a cache',
    ],
    [],
  ],
  [
    'a document named beside code is about the code',
    '- src/a.ts ignores the retry rule of design.md\n- retry.py: see design.md',
    ['src/a.ts ignores the retry rule of design.md', 'retry.py: see design.md'],
    [],
  ],
  [
    'a heading about the spec says against what the code was judged',
    '## Feedback\n### Code\n- a leak\n### Requirements\n- AC-3 is not met\n### Conformance to the design\n1. The cache is missing.',
    ['a leak', 'AC-3 is not met', 'The cache is missing.'],
    [],
  ],
  ['bold lines are headings', '**Feedback for Revision**\n\n1. a leak\n\n**Strengths**\n\n- fine', ['a leak'], []],
  ['quotations are not findings', '> - echoed\n\n- a leak', ['a leak'], []],
  [
    'quotations, when there is nothing else',
    '> a.ts:1 accepts expired tokens\n\nREVIEW_FAIL\n',
    ['a.ts:1 accepts expired tokens'],
    [],
  ],
  ['CRLF', '### Feedback for Revision\r\n1. a leak\r\n\r\nREVIEW_FAIL\r\n', ['a leak'], []],
  ['nothing at all', 'REVIEW_FAIL', [], []],
  ['an empty answer', '', [], []],
];

describe('the findings of a reviewer', () => {
  test.each(CASES)('%s (R-VER-7)', (_, answer, code, spec) => {
    expect(readFindings(answer)).toEqual({ code, spec });
  });

  test('are bounded in number and length, and free of control characters (R-PR-4)', () => {
    const many = Array.from({ length: 100 }, (_, n) => `- ${n} \u001b[31m${'x'.repeat(2_000)}`).join('\n');
    const { code } = readFindings(many);
    expect(code).toHaveLength(20);
    expect(code.every((finding) => finding.length === 500 && /^\d+ x+…$/.test(finding))).toBe(true);
  });

  test('are one line each, whatever the answer is', () => {
    const line = fc.oneof(
      fc.constantFrom('## Feedback', '- a', '  b', '```', '', '> q', '1. [spec] c', '**Code**'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { code, spec } = readFindings(lines.join('\n'));
        for (const finding of [...code, ...spec]) expect(finding).toMatch(/^[^\n]+$/);
      }),
    );
  });
});

describe('the verdict of a reviewer', () => {
  test.each([
    ['REVIEW_PASS', 'pass'],
    ['All is well.\n\n**REVIEW_PASS**\n\n', 'pass'],
    ['I considered REVIEW_FAIL for the index, but it is small.\n\nREVIEW_PASS', 'pass'],
    ['REVIEW_PASS\n\nOn second thoughts: do not take this as a pass.', 'none'],
    ['REVIEW_PASS\n\n```\nlog\n```', 'none'],
    ['Looks good.', 'none'],
    ['', 'none'],
    ['REVIEW_FAIL', 'none'],
    ['REVIEW_FAIL\n\nREVIEW_PASS', 'none'],
    ['- a leak\n\nREVIEW_FAIL\n\nREVIEW_PASS', 'fail'],
    ['- a leak\n\nREVIEW_FAIL', 'fail'],
    ['- a leak\n\nREVIEW_\u200bFAIL\n\nREVIEW_PASS', 'fail'],
    ['> a leak\n\nREVIEW_FAIL', 'fail'],
    ['- [spec] FR-2 is vague\n\nREVIEW_FAIL', 'fail'],
    ['- [x] fine\n\nREVIEW_FAIL', 'fail'],
  ] as const)('of %j is %s (R-DEL-4, R-VER-7)', (answer, verdict) => {
    expect(readReview(answer).verdict).toBe(verdict);
  });
});
