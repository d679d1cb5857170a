import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ts from 'typescript';

/** A folder with this adapter as plain JavaScript, for tests that need it in a process of its own. */
export interface Built {
  readonly dir: string;
  readonly supervisorPath: string;
  remove(): void;
}

/** Runs one program and prints its first lines, and then, as JSON, how it ended. */
const COORDINATOR = `
import { nodeProcesses } from './node.js';
const { options, launch } = JSON.parse(process.argv[2]);
const processes = nodeProcesses(options);
let lines = 0;
const onLine = (line) => {
  lines++;
  if (lines <= 10) console.log(line.slice(0, 100));
};
const ended = await processes.run({ ...launch, onLine });
console.log(JSON.stringify({ ended, lines, peakBytes: process.resourceUsage().maxRSS * 1024 }));
`;

/** The folders that are compiled, next to each other. */
const FOLDERS = ['process', 'program'];

/** Compiles this folder and those that it imports from, file by file, so that tests need no build. */
export function build(): Built {
  const top = mkdtempSync(join(tmpdir(), 'process-test-'));
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    rewriteRelativeImportExtensions: true,
  };
  for (const folder of FOLDERS) {
    mkdirSync(join(top, folder));
    const from = join(import.meta.dirname, '..', folder);
    for (const name of readdirSync(from)) {
      if (!name.endsWith('.ts') || name.includes('test')) continue;
      const { outputText } = ts.transpileModule(readFileSync(join(from, name), 'utf8'), { compilerOptions });
      writeFileSync(join(top, folder, name.replace(/\.ts$/, '.js')), outputText);
    }
  }
  writeFileSync(join(top, 'package.json'), '{"type":"module"}');
  const dir = join(top, 'process');
  writeFileSync(join(dir, 'coordinator.js'), COORDINATOR);
  const supervisorPath = join(dir, 'supervisor.js');
  return { dir, supervisorPath, remove: () => rmSync(top, { recursive: true, force: true }) };
}

/** A process that runs this adapter, to be killed. */
export interface Coordinator {
  readonly pid: number;
  /** What it printed so far, by lines. */
  lines(): readonly string[];
  /** Resolves when it has exited and its output has ended. */
  readonly over: Promise<void>;
}

export function startCoordinator(
  built: Built,
  order: { readonly options: object; readonly launch: object },
): Coordinator {
  const options = { supervisorPath: built.supervisorPath, containment: 'marker', ...order.options };
  const argument = JSON.stringify({ options, launch: order.launch });
  const child = spawn(process.execPath, [join(built.dir, 'coordinator.js'), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => {
    text += more;
  });
  const over = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return { pid: child.pid ?? 0, lines: () => text.split('\n').slice(0, -1), over };
}

/** Waits until something holds, generously: the machine may be busy. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !holds(); await sleep(10)) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
  }
}

/** Whether a process is there and no zombie. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Kills a process that a test left running, if there is one. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone, as it should be.
  }
}
