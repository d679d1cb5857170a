import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepTemporaryFolders, temporaryFolder } from './temporary-folder.ts';

test('what a killed process left in the folder for temporary files is swept, and nothing else (R-ADV-6)', () => {
  const ours = temporaryFolder();
  // No system counts its processes this far.
  const left = ours.replace(`-${process.pid}-`, '-999999999-');
  const elsewhere = left.replace(/specloop-[0-9a-f]{8}/, 'specloop-00000000');
  renameSync(temporaryFolder(), left);
  renameSync(temporaryFolder(), elsewhere);
  writeFileSync(join(left, 'stdin'), 'a prompt');
  try {
    expect(sweepTemporaryFolders()).toBeGreaterThanOrEqual(1);
    expect([ours, left, elsewhere].map((dir) => existsSync(dir))).toEqual([true, false, true]);
  } finally {
    for (const dir of [ours, left, elsewhere]) rmSync(dir, { recursive: true, force: true });
  }
});
