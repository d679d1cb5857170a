import fc from 'fast-check';
import { expect, test } from 'vitest';
import { progressContext } from './context.ts';
import { goalText } from './goal-text.ts';
import { appendToSection } from './sections.ts';

/** The goal as it is read from a progress file that other sections were added to. */
const readBack = (goal: string) => {
  const file = `# demo\n\n## Original Goal\n${goal}\n\n## Completed Tasks\n\n## Learnings\n`;
  return progressContext(appendToSection(file, 'Reality Check (BEFORE)', ['```', '## x', '```'])).goal;
};

test('headings of a goal become deeper ones, those in code blocks and deep ones stay (R-PLAN-1)', () => {
  expect(goalText('# Login\r\n\r\n## Details\r\n- OAuth\r\n')).toBe('### Login\n\n#### Details\n- OAuth');
  expect(goalText('Add it\n\n### Details')).toBe('Add it\n\n### Details');
  expect(goalText('```md\n## Kept\n```\n## Moved')).toBe('```md\n## Kept\n```\n#### Moved');
  expect(goalText('Like this:\n```\n## Kept')).toBe('Like this:\n```\n## Kept\n```');
});

test('a goal is read from the progress file as it was given, whatever it holds (R-PLAN-1)', () => {
  const line = fc.constantFrom(
    '## Approvals',
    '# A',
    '### B',
    '```',
    '````js',
    '~~~',
    '- x',
    'words',
    '',
    '#hash',
    '---',
    '\t`a`',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const goal = goalText(lines.join('\n'));
      expect(readBack(goal)).toBe(goal);
      expect(goalText(goal)).toBe(goal);
    }),
  );
});
