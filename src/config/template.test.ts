import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSettings } from './load.ts';
import { settings } from './setting.ts';
import { settingsTemplate } from './template.ts';

test('the template sets nothing, and with its defaults uncommented it still means the same', async () => {
  const root = mkdtempSync(join(tmpdir(), 'template-'));
  try {
    const load = async (text: string) => {
      writeFileSync(join(root, 'specloop.config.yaml'), text);
      return (await loadSettings({ root, env: {} })).settings;
    };
    const template = settingsTemplate();
    const isExample = /^#\s*\w+: (\[?[A-Z]+\]?|\{.*\})$/;
    const uncommented = template
      .split('\n')
      .filter((line) => !isExample.test(line))
      .map((line) => line.replace(/^#(?=\w+: )/, ''));
    const plain = await load('');
    expect(await load(template)).toEqual(plain);
    expect(await load(uncommented.join('\n'))).toEqual(plain);
    expect(uncommented.join('\n')).toContain('\nmaxTaskIterations: 5\n');
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('the template shows every setting that a repository may make, and no other (R-SEC-1)', () => {
  const template = settingsTemplate();
  const names = settings.map(({ key, isPersonal }) => ({ name: key.split('.').at(-1) ?? '', isPersonal }));
  const isShown = ({ name }: { readonly name: string }) => new RegExp(`^#\\s*${name}: `, 'm').test(template);
  expect(names.filter((setting) => isShown(setting) === setting.isPersonal)).toEqual([]);
});
