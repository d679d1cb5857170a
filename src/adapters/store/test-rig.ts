import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import ts from 'typescript';

const SOURCE = join(import.meta.dirname, '../..');
const PROJECT = join(SOURCE, '..');
const NEEDED = [
  'core/spec-files.ts',
  'core/spec-name.ts',
  'core/user-error.ts',
  'ports/store.ts',
  ...filesIn('adapters/store'),
];

/**
 * Does what each line of its input says, and answers with one line of JSON: `acquire`, `release`, `read`, `still-ours`,
 * or `race <file>`, which takes the lock, makes sure that it is alone in it, and gives it back.
 */
const PROGRAM = `
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { acquireLock, readHolder } from './adapters/store/lock.js';
import { kernelLocks } from './adapters/store/kernel-lock.js';
import { thisProcess } from './adapters/store/process-identity.js';

const [dir, kind] = process.argv.slice(2);
const none = { tryLock() { throw new Error('no kernel locks here'); } };
const kernel = kind === 'record' ? none : kernelLocks;
const owner = { ...thisProcess(), since: '2026-11-27T23:15:13.000Z' };
let lock;
const commands = {
  async acquire() {
    const result = await acquireLock(dir, owner, kernel);
    lock = result.lock;
    return result;
  },
  release: () => lock.release(),
  'still-ours': () => lock.stillOurs(),
  read: () => readHolder(dir, kernel),
  async race(marker) {
    const result = await acquireLock(dir, owner, kernel);
    if (!result.ok) return 'refused';
    closeSync(openSync(marker, 'wx'));
    await new Promise((resolve) => setTimeout(resolve, 1));
    unlinkSync(marker);
    result.lock.release();
    return 'held';
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const [command, argument] = line.split(' ');
  console.log(JSON.stringify((await commands[command](argument)) ?? 'done'));
}
`;

/** This adapter as plain JavaScript, for tests that need it in processes of their own. */
export interface Built {
  readonly dir: string;
  remove(): void;
}

/** Compiles what is needed, file by file, so that tests need no build. */
export function build(): Built {
  const dir = mkdtempSync(join(tmpdir(), 'specloop-lock-rig-'));
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    rewriteRelativeImportExtensions: true,
  };
  for (const name of NEEDED) {
    const { outputText } = ts.transpileModule(readFileSync(join(SOURCE, name), 'utf8'), { compilerOptions });
    const target = join(dir, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  writeFileSync(join(dir, 'program.js'), PROGRAM);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** A process of its own that takes and releases a lock as it is told. */
export interface Contender {
  readonly pid: number;
  /** Sends one command and resolves with the answer; rejects if the process ends first. */
  ask(command: string): Promise<unknown>;
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Resolves when the process has ended. */
  readonly over: Promise<void>;
}

export function startContender(built: Built, dir: string, kind: 'kernel' | 'record' = 'kernel'): Contender {
  const child: ChildProcess = spawn(process.execPath, [join(built.dir, 'program.js'), dir, kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null || child.pid === undefined) throw new Error('The contender did not start.');
  stdin.on('error', () => {}); // It was killed on purpose.
  const waiting: ((answer: string | undefined) => void)[] = [];
  createInterface({ input: stdout }).on('line', (line) => waiting.shift()?.(line));
  const over = new Promise<void>((resolve) => {
    child.on('close', () => {
      for (const answer of waiting.splice(0)) answer(undefined);
      resolve();
    });
  });
  const ask = async (command: string): Promise<unknown> => {
    const answer = await new Promise<string | undefined>((resolve) => {
      waiting.push(resolve);
      stdin.write(`${command}\n`);
    });
    if (answer === undefined) throw new Error(`The contender ended before it answered "${command}".`);
    return JSON.parse(answer);
  };
  return { pid: child.pid, ask, signal: (signal) => void child.kill(signal), over };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(SOURCE, folder))
    .filter((name) => name.endsWith('.ts') && !name.includes('test'))
    .map((name) => `${folder}/${name}`);
}
