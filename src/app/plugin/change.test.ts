import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeChanges } from './change.ts';

let anchor: string;
beforeEach(() => {
  anchor = mkdtempSync(join(tmpdir(), 'change-'));
});
afterEach(() => rmSync(anchor, { recursive: true, force: true }));

const at = (path: string) => ({ anchor, path });

test('makes folders for what it writes, and removes those that it leaves empty (R-SES-8)', () => {
  makeChanges([{ at: at('a/b/c.md'), text: 'c' }]);
  expect(readFileSync(join(anchor, 'a/b/c.md'), 'utf8')).toBe('c');
  makeChanges([{ at: at('a/b/c.md'), text: undefined }]);
  expect(readdirSync(anchor)).toEqual([]);
  expect(existsSync(anchor)).toBe(true);
});

test('undoes what it did when a later change fails (R-SES-8)', () => {
  writeFileSync(join(anchor, 'kept.md'), 'before');
  mkdirSync(join(anchor, 'long'));
  const changes = [
    { at: at('kept.md'), text: 'after' },
    { at: at('new/page.md'), text: 'new' },
    { at: at(`long/${'x'.repeat(250)}`), text: 'its temporary name is too long' },
  ];
  expect(() => makeChanges(changes)).toThrow('its name is too long');
  expect(readFileSync(join(anchor, 'kept.md'), 'utf8')).toBe('before');
  expect(readdirSync(anchor).sort()).toEqual(['kept.md', 'long']);
});
