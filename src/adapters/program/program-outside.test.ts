import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programOutside } from './program-outside.ts';

test('a program of ours is not taken from the workspace, from packages, nor from a relative folder (R-VER-14)', () => {
  const top = mkdtempSync(join(tmpdir(), 'specloop-outside-'));
  const [workspace, elsewhere] = [join(top, 'work'), join(top, 'bin')];
  const inside = join(workspace, 'node_modules/.bin');
  const packages = join(top, 'node_modules/.bin');
  const below = join(workspace, 'packages/a');
  const [bin, link] = [join(workspace, 'bin'), join(top, 'link')];
  mkdirSync(join(workspace, '.git'), { recursive: true });
  mkdirSync(below, { recursive: true });
  symlinkSync(bin, link);
  for (const folder of [inside, elsewhere, packages, bin]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'tool'), '#!/bin/sh\n');
    chmodSync(join(folder, 'tool'), 0o755);
  }
  const path = `./node_modules/.bin:${inside}:${elsewhere}`;
  expect(programOutside('tool', { path, workspace })).toBe(join(elsewhere, 'tool'));
  expect(programOutside('tool', { path: inside, workspace })).toBeUndefined();
  expect(programOutside('tool', { path: packages, workspace })).toBeUndefined();
  expect(programOutside('tool', { path: link, workspace })).toBeUndefined();
  expect(programOutside('tool', { path: bin, workspace: below })).toBeUndefined();
  // Where someone is in no working tree, no agent is at work.
  for (const nowhere of ['/', tmpdir()])
    expect(programOutside('tool', { path: elsewhere, workspace: nowhere })).toBe(join(elsewhere, 'tool'));
  rmSync(top, { recursive: true });
});
