import { expect, test } from 'vitest';
import { isSwitchedOff } from './is-switched-off.ts';

const page = (line: string, end = '\n') => ['---', 'other: 5', line, '---', '', '# Settings', ''].join(end);

test('enabled: false in the front matter switches the hooks off, however it is spelt (R-SES-5)', () => {
  const values = ['false', 'False', 'FALSE', '"false"', "'false'", '   false  ', 'false # for now'];
  for (const value of values) expect(isSwitchedOff(page(`enabled: ${value}`)), value).toBe(true);
  expect(isSwitchedOff(page('enabled: false', '\r\n'))).toBe(true);
  expect(isSwitchedOff(`\uFEFF${page('enabled: false')}`)).toBe(true);
});

test('what only looks like it switches nothing off (R-SES-5)', () => {
  const lines = [
    'enabled: true',
    'other:\n  enabled: false',
    '# enabled: false',
    'not_enabled: false',
    'enabled: falsely',
  ];
  for (const line of lines) expect(isSwitchedOff(page(line)), line).toBe(false);
  const after = `${page('enabled: true')}\n---\nenabled: false\n---\n`;
  for (const text of [after, 'enabled: false\n', '', '---\nenabled: false', `text\n${page('enabled: false')}`])
    expect(isSwitchedOff(text), text).toBe(false);
});
