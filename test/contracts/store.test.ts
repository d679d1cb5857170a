import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { systemClock } from '../../src/adapters/clock/system.ts';
import { runArchive } from '../../src/adapters/store/run-folder.ts';
import { specFiles } from '../../src/adapters/store/spec-files.ts';
import { MemoryClock } from '../memory/clock.ts';
import { memoryFiles } from '../memory/files.ts';
import { MemoryRuns } from '../memory/runs.ts';
import { storeContract } from './store.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

storeContract('the disk', () => {
  const dir = mkdtempSync(join(tmpdir(), 'specloop-store-'));
  folders.push(dir);
  const spec = join(dir, 'spec');
  mkdirSync(spec);
  return {
    files: specFiles(spec),
    archive: runArchive({ dir: join(dir, 'private'), spec: 'demo', clock: systemClock, chance: Math.random }),
  };
});

storeContract('memory', () => ({
  files: memoryFiles(new Map(), 'specs/demo'),
  archive: new MemoryRuns(new Map(), { spec: 'demo', clock: new MemoryClock('2026-11-27T08:00:00.000Z') }),
}));
