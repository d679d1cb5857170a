import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFindings } from './review.ts';

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
    'a document of the spec',
    '## Findings\n- requirements.md has no limit for retries\n- the limit is not tested',
    ['the limit is not tested'],
    ['requirements.md has no limit for retries'],
  ],
  [
    'a document named beside code is about the code',
    '- src/a.ts ignores the retry rule of design.md\n- retry.py: see design.md',
    ['src/a.ts ignores the retry rule of design.md', 'retry.py: see design.md'],
    [],
  ],
  [
    'a heading about the spec',
    '## Feedback\n### Code\n- a leak\n### Requirements\n- AC-3 is vague\n- src/b.ts:9 lacks AC-4',
    ['a leak', 'src/b.ts:9 lacks AC-4'],
    ['AC-3 is vague'],
  ],
  [
    'a label below a heading about the spec',
    '## Feedback\n### Spec\n**Major**\n- AC-3 is vague\n### Code\nMinor:\n- a leak',
    ['a leak'],
    ['AC-3 is vague'],
  ],
  ['bold lines are headings', '**Feedback for Revision**\n\n1. a leak\n\n**Strengths**\n\n- fine', ['a leak'], []],
  ['quotations are not findings', '> - echoed\n\n- a leak', ['a leak'], []],
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
