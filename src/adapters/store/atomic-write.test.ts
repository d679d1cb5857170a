import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StorageFault } from '../../ports/store.ts';
import { sweepTemporaries, writeAtomically } from './atomic-write.ts';
import { type Disk, disk } from './disk.ts';
import { thisProcess } from './process-identity.ts';

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'specloop-write-'));
  file = join(dir, 'tasks.md');
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const OLD = 'old content\n';
const NEW = `new content\n${'x'.repeat(5000)}`;

/** A disk that counts its calls, and fails at those from `first` to `last`, counted from 1. */
function failingAt(
  { first, last = first }: { readonly first: number; readonly last?: number },
  fail: (call: keyof Disk) => void,
): { readonly disk: Disk; readonly calls: () => number } {
  let calls = 0;
  const entries = Object.entries(disk).map(([name, call]: [string, (...given: never[]) => unknown]) => [
    name,
    (...given: never[]) => {
      calls++;
      if (calls >= first && calls <= last) fail(name as keyof Disk);
      return call(...given);
    },
  ]);
  return { disk: Object.fromEntries(entries) as Disk, calls: () => calls };
}

function systemError(code: string): (call: keyof Disk) => void {
  return (call) => {
    throw Object.assign(new Error(`${code}: injected, ${call}`), { code });
  };
}

function faultOf(work: () => void): StorageFault {
  try {
    work();
  } catch (error) {
    if (error instanceof StorageFault) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

test('a file is made and replaced, and nothing else is left in the folder (R-FILE-5)', () => {
  writeAtomically(file, OLD);
  writeAtomically(file, NEW);
  expect(readFileSync(file, 'utf8')).toBe(NEW);
  expect(readdirSync(dir)).toEqual(['tasks.md']);
});

test('a replaced file keeps its mode, whatever the umask (R-FILE-5)', () => {
  writeFileSync(file, OLD);
  chmodSync(file, 0o666);
  writeAtomically(file, NEW);
  expect(statSync(file).mode & 0o777).toBe(0o666);
});

test('a file for the user alone is made and kept so', () => {
  writeFileSync(file, OLD, { mode: 0o644 });
  writeAtomically(file, NEW, { mode: 0o600 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a symbolic link is refused and its target left alone (R-SEC-1)', () => {
  const target = join(dir, 'elsewhere');
  writeFileSync(target, OLD);
  symlinkSync(target, file);
  const fault = faultOf(() => writeAtomically(file, NEW));
  expect(fault.kind).toBe('not-writable');
  expect(fault.message).toBe(
    `Cannot write ${file}: it is a symbolic link, which specloop does not follow here, or one that leads to itself. Replace it with a real file.`,
  );
  expect(readFileSync(target, 'utf8')).toBe(OLD);
});

test('a folder in the place of the file is refused', () => {
  mkdirSync(file);
  expect(faultOf(() => writeAtomically(file, NEW)).message).toBe(
    `Cannot write ${file}: it is a folder. Move the folder away, then run the command again.`,
  );
});

test('a folder that is gone is reported as such', () => {
  const fault = faultOf(() => writeAtomically(join(dir, 'gone', 'tasks.md'), NEW));
  expect(fault.kind).toBe('not-writable');
  expect(fault.message).toContain('its folder is gone');
});

test.each([
  ['ENOSPC', 'disk-full', 'the disk is full'],
  ['EDQUOT', 'disk-full', 'quota is used up'],
  ['EIO', 'io', 'the system reported "EIO'],
  ['EACCES', 'not-writable', 'permission is denied'],
  ['EROFS', 'not-writable', 'read-only'],
] as const)(
  '%s at any step leaves the whole old or the whole new content and no temporary file (R-FILE-5)',
  (code, kind, reason) => {
    writeFileSync(file, OLD);
    const whole = failingAt({ first: Number.POSITIVE_INFINITY }, systemError(code));
    writeAtomically(join(dir, 'counted'), NEW, { disk: whole.disk });
    rmSync(join(dir, 'counted'));
    const outcomes = Array.from({ length: whole.calls() + 1 }, (_, index) => {
      writeFileSync(file, OLD);
      const failing = failingAt({ first: index + 1 }, systemError(code));
      const fault = faultOf(() => writeAtomically(file, NEW, { disk: failing.disk }));
      return {
        kind: fault.kind,
        told: fault.message.includes(reason),
        content: readFileSync(file, 'utf8'),
        files: readdirSync(dir),
      };
    });
    const first = { kind, told: true, content: OLD, files: ['tasks.md'] };
    const renamed = outcomes.findIndex(({ content }) => content === NEW);
    expect(renamed).toBeGreaterThan(5);
    expect(outcomes).toEqual(outcomes.map((_, index) => ({ ...first, content: index < renamed ? OLD : NEW })));
  },
);

test('a disk that fails for good leaves the old or the new content; the temporary file is swept later (R-FILE-5)', () => {
  const outcomes = [1, 2, 3, 4, 5, 6, 7].map((number) => {
    writeFileSync(file, OLD);
    const failing = failingAt({ first: number, last: Number.POSITIVE_INFINITY }, systemError('EIO'));
    faultOf(() => writeAtomically(file, NEW, { disk: failing.disk }));
    return readFileSync(file, 'utf8');
  });
  expect(outcomes).toEqual([OLD, OLD, OLD, OLD, OLD, OLD, OLD]);
  expect(readdirSync(dir).length).toBeGreaterThan(1);
});

test('short writes are gone on with until all is written', () => {
  const short: Disk = { ...disk, write: (fd, bytes, offset) => disk.write(fd, bytes.subarray(0, offset + 7), offset) };
  writeAtomically(file, NEW, { disk: short });
  expect(readFileSync(file, 'utf8')).toBe(NEW);
});

test('a write that claims more than arrived is noticed before the old file is gone (R-FILE-5)', () => {
  writeFileSync(file, OLD);
  const lying: Disk = {
    ...disk,
    write: (fd, bytes, offset) => {
      disk.write(fd, bytes.subarray(0, 100), offset);
      return bytes.byteLength - offset;
    },
  };
  const fault = faultOf(() => writeAtomically(file, NEW, { disk: lying }));
  expect(fault.kind).toBe('disk-full');
  expect(readFileSync(file, 'utf8')).toBe(OLD);
  expect(readdirSync(dir)).toEqual(['tasks.md']);
});

test('a write that never makes progress ends in a fault', () => {
  const stuck: Disk = { ...disk, write: () => 0 };
  expect(faultOf(() => writeAtomically(file, NEW, { disk: stuck })).kind).toBe('io');
  expect(existsSync(file)).toBe(false);
});

test('temporary files of dead processes are swept, all others stay', () => {
  const { pid, startTime } = thisProcess();
  const dead = spawnSync(process.execPath, ['--version']).pid;
  const names = [
    `.tasks.md.${dead}.12345.0123456789ab.specloop-tmp`,
    `.tasks.md.${pid}.1.0123456789ab.specloop-tmp`,
    `.tasks.md.${pid}.${startTime}.0123456789ab.specloop-tmp`,
    '.tasks.md.specloop-tmp',
    'tasks.md',
  ];
  for (const name of names) writeFileSync(join(dir, name), '');
  expect(sweepTemporaries(dir)).toEqual(names.slice(0, 2).sort());
  expect(readdirSync(dir).sort()).toEqual(names.slice(2).sort());
});

test('sweeping a folder that is not there finds nothing', () => {
  expect(sweepTemporaries(join(dir, 'gone'))).toEqual([]);
});
