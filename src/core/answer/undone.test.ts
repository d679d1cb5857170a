import { describe, expect, test } from 'vitest';
import { readUndone } from './undone.ts';

describe('the line of what is left undone (R-VER-10)', () => {
  test.each([
    ['Left undone: the Windows build', 'the Windows build'],
    ['**Left undone:** error messages in French', 'error messages in French'],
    ['- **Left undone**: the docs\n\nTASK_COMPLETE', 'the docs'],
    ['## Left undone: step 3', 'step 3'],
    ['LEFT UNDONE: the export', 'the export'],
    ['Left undone: none, except the docs', 'none, except the docs'],
    ['Left undone: none\n\nLeft undone: the docs', 'the docs'],
    ['Left undone:\n\n- the docs\n- the export\n\nTASK_COMPLETE', 'the docs; the export'],
    ['Left un\u200bdone: the docs', 'the docs'],
    ['Left undone: nothingness is not handled', 'nothingness is not handled'],
  ])('%j names %j', (answer, undone) => {
    expect(readUndone(answer)).toBe(undone);
  });

  test.each([
    'Left undone: none',
    'Left undone: none.',
    '**Left undone:** none',
    '`Left undone: none`',
    'Left undone: None, all of it is there.',
    'Left undone: nothing',
    'Left undone: -',
    'Left undone: –',
    'Left undone: n/a',
    'Left undone: N/A.',
    'Left undone: keine',
    'Left undone: nichts',
    'Left undone: rien',
    'Left undone: aucun',
    'Left undone: ninguno',
    'Left undone: nada',
    'Left undone: nenhum',
    'Left undone: nessuno',
    'Left undone: 无',
    'Left undone: なし',
    'Left undone: нет',
    'Left undone:\n- none\n\nTASK_COMPLETE',
    'Left undone:\n\nTASK_COMPLETE',
    'Left undone:',
    'Left undone: <what is missing>',
    '> Left undone: the docs',
    '```\nLeft undone: the docs\n```',
    'I was told to write "Left undone: the docs".',
    'Nothing was left undone.',
    '',
  ])('%j names nothing', (answer) => {
    expect(readUndone(answer)).toBeUndefined();
  });

  test('is bounded and on one line', () => {
    expect(readUndone(`Left undone: \u001b[31m${'x'.repeat(5_000)}`)).toMatch(/^x{499}…$/);
  });
});
