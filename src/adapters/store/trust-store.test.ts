import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../core/user-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { acquireLock } from './lock.ts';
import { ownOwner } from './owner-record.ts';
import { type TrustKey, type TrustStore, trustFile, trustStore } from './trust-store.ts';

const clock: Clock = { now: () => new Date().toISOString(), sleepUntil: () => sleep(1), sleepMs: async () => {} };

const NONE = new Map<string, string>();

let top: string;
let file: string;
let store: TrustStore;
let key: TrustKey;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'specloop-trust-'));
  file = join(top, 'state', 'specloop', 'trust.json');
  store = trustStore({ file, clock });
  key = workspace('repository');
});
afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

function workspace(name: string): TrustKey {
  mkdirSync(join(top, name, '.git'), { recursive: true });
  return { root: join(top, name), commonDir: join(top, name, '.git') };
}

test('nothing is trusted that was not asked for, and asking writes nothing (R-SEC-1)', async () => {
  expect(await store.missingTrust(key, ['npm test', 'agent', 'npm test'])).toEqual(['npm test', 'agent']);
  expect(() => statSync(join(top, 'state'))).toThrow('ENOENT');
});

test('what is trusted stays so; a command that changed by one character is asked again (R-SEC-1)', async () => {
  await store.addTrust(key, { commands: ['npm test', 'agent --yes'], settings: NONE });
  await store.addTrust(key, { commands: ['make'], settings: NONE });
  const again = trustStore({ file, clock });
  expect(await again.missingTrust(key, ['agent --yes', 'npm test', 'make'])).toEqual([]);
  expect(await again.missingTrust(key, ['npm test ', 'npm test; rm -rf ~', 'constructor', '__proto__'])).toHaveLength(
    4,
  );
});

test('settings that changed, came or went since they were trusted are reported; the first ones are unknown (R-SEC-1)', async () => {
  const settings = new Map([
    ['review', '"off"'],
    ['scope', '"warn"'],
  ]);
  expect(await store.changedSettings(key, settings)).toBe('unknown');
  await store.addTrust(key, { commands: [], settings });
  expect(await store.changedSettings(key, settings)).toEqual([]);
  const now = new Map([
    ['review', '"auto"'],
    ['jobs', '2'],
  ]);
  expect(await store.changedSettings(key, now)).toEqual(['review', 'jobs', 'scope']);
  await store.addTrust(key, { commands: [], settings: now });
  expect(await store.changedSettings(key, now)).toEqual([]);
  expect(readFileSync(file, 'utf8')).not.toContain('auto');
});

test('trust that an earlier version wrote knows no settings, and stays (R-SEC-1)', async () => {
  await store.addTrust(key, { commands: ['npm test'], settings: NONE });
  const { workspaces } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(
    file,
    JSON.stringify({
      version: 1,
      workspaces: workspaces.map(({ settings: _, ...rest }: object & { settings: unknown }) => rest),
    }),
  );
  expect(await store.changedSettings(key, NONE)).toBe('unknown');
  expect(await store.missingTrust(key, ['npm test'])).toEqual([]);
});

test('the entry of a workspace is put back as it was, and those of others stay (R-VER-14)', async () => {
  await store.addTrust(key, { commands: ['npm test'], settings: NONE });
  const before = store.entryOf(key);
  await store.addTrust(key, { commands: ['echo REVIEW_PASS'], settings: NONE });
  const other = workspace('other');
  await store.addTrust(other, { commands: ['make'], settings: NONE });
  await store.putEntry(key, before);
  expect(store.entryOf(key)).toBe(before);
  expect(await store.missingTrust(key, ['npm test', 'echo REVIEW_PASS'])).toEqual(['echo REVIEW_PASS']);
  await store.putEntry(key, undefined);
  expect(store.entryOf(key)).toBeUndefined();
  expect(await store.missingTrust(other, ['make'])).toEqual([]);
  writeFileSync(file, '{');
  expect(store.entryOf(key)).toBeUndefined();
});

test('trust in one workspace is none in another, nor in a copy in its place (R-SEC-1)', async () => {
  await store.addTrust(key, { commands: ['npm test'], settings: NONE });
  expect(await store.missingTrust(workspace('other'), ['npm test'])).toEqual(['npm test']);
  expect(await store.missingTrust({ ...key, commonDir: workspace('other').commonDir }, ['npm test'])).toEqual([
    'npm test',
  ]);
});

test('a workspace that is reached by a link is the same', async () => {
  symlinkSync('repository', join(top, 'alias'));
  await store.addTrust(
    { root: join(top, 'alias'), commonDir: join(top, 'alias', '.git') },
    { commands: ['npm test'], settings: NONE },
  );
  expect(await store.missingTrust(key, ['npm test'])).toEqual([]);
});

test('the file is for the user alone and does not hold the commands themselves (R-SEC-2)', async () => {
  await store.addTrust(key, { commands: ['curl -H "token: secret"'], settings: NONE });
  expect([file, dirname(file)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  expect(readFileSync(file, 'utf8')).not.toContain('secret');
});

test('while another process writes the file, no answer is written over its own (R-SEC-1)', async () => {
  await store.addTrust(key, { commands: ['make'], settings: NONE });
  const held = await acquireLock(`${file}.lock`, ownOwner(clock));
  if (!held.ok) throw new Error('The lock is not free.');
  const before = readFileSync(file, 'utf8');
  await expect(store.addTrust(key, { commands: ['npm test'], settings: NONE })).rejects.toThrow('is in use by process');
  expect(readFileSync(file, 'utf8')).toBe(before);
  held.lock.release();
  await store.addTrust(key, { commands: ['npm test'], settings: NONE });
  expect(await store.missingTrust(key, ['make', 'npm test'])).toEqual([]);
});

test('answers that are given at the same time are all kept', async () => {
  const commands = Array.from({ length: 8 }, (_, index) => `command ${index}`);
  await Promise.all(
    commands.map((command) => trustStore({ file, clock }).addTrust(key, { commands: [command], settings: NONE })),
  );
  expect(await store.missingTrust(key, commands)).toEqual([]);
});

test.each(['', '{', '[]', 'null', '{"version": 2, "workspaces": []}', '{"version": 1, "workspaces": [{"root": 1}]}'])(
  'a file that holds %j trusts nothing, is left alone, and is told of',
  async (text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    await expect(store.missingTrust(key, ['npm test'])).rejects.toBeInstanceOf(UserError);
    await expect(store.addTrust(key, { commands: ['npm test'], settings: NONE })).rejects.toThrow(`${file} is damaged`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

describe('where trust is kept', () => {
  test.each([
    [{}, '/home/me/.local/state/specloop/trust.json'],
    [{ XDG_STATE_HOME: '/state' }, '/state/specloop/trust.json'],
    [{ XDG_STATE_HOME: './state' }, '/home/me/.local/state/specloop/trust.json'],
    [{ XDG_STATE_HOME: '' }, '/home/me/.local/state/specloop/trust.json'],
  ])('%j leads to %s, never into a repository by a relative path', (variables, expected) => {
    expect(trustFile(variables, '/home/me')).toBe(expected);
  });
});
