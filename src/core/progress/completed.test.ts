import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addCompleted, fillHash } from './completed.ts';

const FILE = '# P\n\n## Original Goal\nBuild the moon\n\n## Learnings\n- the sky is high\n';

describe('the entry of a completed task', () => {
  test('goes to the end of Completed Tasks and changes nothing else (R-ADV-1)', () => {
    const before = '# P\n\n## Completed Tasks\n- [x] 1.1 Base - abc1234\n\n## Learnings\n- high\n';
    expect(addCompleted(before, { id: '1.2', title: 'Login', hash: 'def5678' })).toBe(
      '# P\n\n## Completed Tasks\n- [x] 1.1 Base - abc1234\n- [x] 1.2 Login - def5678\n\n## Learnings\n- high\n',
    );
  });

  test('makes the section where it belongs: after the goal, before the learnings', () => {
    expect(addCompleted(FILE, { id: '1.1', title: 'Base' })).toBe(
      '# P\n\n## Original Goal\nBuild the moon\n\n## Completed Tasks\n- [x] 1.1 Base\n\n## Learnings\n- the sky is high\n',
    );
  });

  test.each([
    [undefined, '## Completed Tasks\n- [x] 1.1 Base\n'],
    ['', '## Completed Tasks\n- [x] 1.1 Base\n'],
    ['\n', '\n## Completed Tasks\n- [x] 1.1 Base\n'],
    ['# P', '# P\n\n## Completed Tasks\n- [x] 1.1 Base'],
    ['# P\n', '# P\n\n## Completed Tasks\n- [x] 1.1 Base\n'],
    ['## Completed Tasks', '## Completed Tasks\n- [x] 1.1 Base'],
    ['## Completed Tasks\n', '## Completed Tasks\n- [x] 1.1 Base\n'],
    ['## Completed Tasks\n\n## Learnings\n', '## Completed Tasks\n- [x] 1.1 Base\n\n## Learnings\n'],
    ['## Completed Tasks\n_None yet_\n', '## Completed Tasks\n_None yet_\n- [x] 1.1 Base\n'],
    ['## completed tasks:\n- [x] 0 a\n', '## completed tasks:\n- [x] 0 a\n- [x] 1.1 Base\n'],
    ['\ufeff## Completed Tasks\r\n- [x] 0 a\r\n', '\ufeff## Completed Tasks\r\n- [x] 0 a\r\n- [x] 1.1 Base\r\n'],
    ['# P\r\n\r\n## Learnings\r\n- x', '# P\r\n\r\n## Completed Tasks\r\n- [x] 1.1 Base\r\n\r\n## Learnings\r\n- x'],
    [
      '```\n## Completed Tasks\n```\n\n## Learnings\n',
      '```\n## Completed Tasks\n```\n\n## Completed Tasks\n- [x] 1.1 Base\n\n## Learnings\n',
    ],
    ['```\nnever closed\n## Completed Tasks\n', '```\nnever closed\n## Completed Tasks\n- [x] 1.1 Base\n'],
    [
      '## Completed Tasks\n- [x] 0 a\n### More\n- b\n',
      '## Completed Tasks\n- [x] 0 a\n### More\n- b\n- [x] 1.1 Base\n',
    ],
  ])('in %j gives %j (R-FILE-5)', (before, after) => {
    expect(addCompleted(before, { id: '1.1', title: 'Base' })).toBe(after);
  });

  test('stands there once, whoever wrote it (R-ADV-2)', () => {
    for (const entry of [
      '- [x] 1.1 Base',
      '- [x] **1.1** Base',
      '* [X] 1.1: Base',
      '- 1.1 Base',
      '- [x] Task 1.1: Base',
      '- [x] 1.1',
    ]) {
      const before = `## Completed Tasks\n${entry}\n`;
      expect(addCompleted(before, { id: '1.1', title: 'Base' })).toBe(before);
      expect(addCompleted(before, { id: '1.1', title: 'Base', hash: 'abc1234' })).toBe(
        `## Completed Tasks\n${entry} - abc1234\n`,
      );
    }
  });

  test('is not mistaken for one with a longer or shorter id, or for a mention', () => {
    for (const entry of [
      '- [x] 1.10 x',
      '- [x] 1.1.1 x',
      '- [x] 11.1 x',
      '- [x] 0 see 1.1 x',
      '- [x] 1.1#2 x',
      '- [x] 1.1a x',
    ]) {
      const before = `## Completed Tasks\n${entry}\n\n## Learnings\n- 1.1 Base\n`;
      expect(addCompleted(before, { id: '1.1', title: 'Base' })).toContain(`${entry}\n- [x] 1.1 Base\n`);
    }
  });

  test('is one line without hidden characters, whatever the title is', () => {
    const after = addCompleted(undefined, { id: '1.1', title: 'a\n## Learnings\n- x\u001b[2J\u202e' });
    expect(after).toBe('## Completed Tasks\n- [x] 1.1 a ## Learnings - x<U+202E>\n');
  });

  test('gets its hash later, once, and keeps the one it has (R-ADV-1)', () => {
    const before = addCompleted(FILE, { id: '1.1', title: 'Base' });
    const after = fillHash(before, { id: '1.1', hash: 'abc1234' });
    expect(after).toBe(before.replace('- [x] 1.1 Base\n', '- [x] 1.1 Base - abc1234\n'));
    expect(fillHash(after, { id: '1.1', hash: 'fff0000' })).toBe(after);
    expect(fillHash(after, { id: '1.2', hash: 'fff0000' })).toBe(after);
    expect(fillHash('', { id: '1.1', hash: 'fff0000' })).toBe('');
  });

  test('gets its hash although its title ends like one', () => {
    const before = addCompleted(undefined, { id: '1.1', title: 'Revert - abcdef1' });
    expect(fillHash(before, { id: '1.1', hash: '1234567' })).toBe(
      '## Completed Tasks\n- [x] 1.1 Revert – abcdef1 - 1234567\n',
    );
  });

  test('is filled in a CRLF file without touching its line ends (R-FILE-5)', () => {
    expect(fillHash('## Completed Tasks\r\n- [x] 1.1 Base  \r\n', { id: '1.1', hash: 'abc1234' })).toBe(
      '## Completed Tasks\r\n- [x] 1.1 Base - abc1234  \r\n',
    );
  });

  test('added to any text keeps all of that text, and adding it again changes nothing (R-FILE-5, R-ADV-2)', () => {
    const line = fc.constantFrom(
      '## Completed Tasks',
      '## Learnings',
      '## Reviews',
      '```',
      '- [x] 1.2 x',
      '- y',
      '',
      '  z',
      '# P',
    );
    const texts = fc
      .tuple(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\ufeff'))
      .map(([lines, eol, mark]) => mark + lines.join(eol));
    fc.assert(
      fc.property(texts, fc.constantFrom('1.1', '1.10', 'T001'), (before, id) => {
        const after = addCompleted(before, { id, title: 'Base' });
        const entry = `- [x] ${id} Base`;
        const at = after.indexOf(entry);
        expect(at).toBeGreaterThanOrEqual(0);
        const without = after.slice(0, at) + after.slice(at + entry.length);
        const bare = (text: string) => text.replace(/## Completed Tasks|\s/g, '');
        expect(bare(without)).toBe(bare(before));
        expect(addCompleted(after, { id, title: 'Base' })).toBe(after);
        expect(/(?<!\r)\n/.test(after)).toBe(/(?<!\r)\n/.test(before) || !before.includes('\n'));
      }),
    );
  });
});
