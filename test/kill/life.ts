import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '../../src/core/run/data/event.ts';
import { readTrace, scriptedAgentCommand, writeScript } from '../../src/testing/scripted-agent.ts';
import { type Result, type Workshop, workshop } from '../cli/rig.ts';
import type { Kill } from './kills.ts';
import { reached } from './moment.ts';
import { familyOf, processesOf } from './processes.ts';
import type { Scenario } from './scenarios.ts';

const GONE_MS_MAX = 5_000;

/** A repository in which one scenario runs. */
export interface Stage extends Workshop {
  readonly isOrdered: boolean;
  readonly scriptPath: string;
  readonly argv: readonly string[];
}

export function stage({ files, command, script, isOrdered }: Scenario): Stage {
  const shop = workshop();
  const scriptPath = join(dirname(shop.dir), 'agent.json');
  shop.write('README.md', 'hello\n');
  rmSync(join(shop.dir, 'specs'), { recursive: true });
  for (const [name, text] of Object.entries(files)) shop.write(`specs/demo/${name}`, text);
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'what was there');
  // A spec that is made gets its branch by itself.
  if (command[0] === 'new') for (const args of TO_MAIN) shop.git(...args);
  writeScript(scriptPath, script);
  const agent = JSON.stringify(scriptedAgentCommand(scriptPath));
  return { ...shop, isOrdered, scriptPath, argv: [...command, '--agent-command', agent] };
}

const TO_MAIN = [
  ['switch', '--quiet', 'main'],
  ['merge', '--quiet', 'feat/demo'],
  ['branch', '--quiet', '--delete', 'feat/demo'],
] as const;

/** Runs to the end; resolves with how it went and how long it took in milliseconds. */
export async function live({ run, argv }: Stage): Promise<Result & { readonly tookMs: number }> {
  const begun = performance.now();
  const result = run(...argv);
  return { ...result, tookMs: performance.now() - begun };
}

/** Starts the program and kills it at its moment, unless it has ended by then; resolves once all that it started is gone. */
export async function die(
  { start, argv, dir }: Pick<Stage, 'start' | 'argv' | 'dir'>,
  { moment, whom }: Kill,
  tookMs: number,
): Promise<void> {
  const child = start(...argv);
  const over = new AbortController();
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void closed.then(() => over.abort());
  child.stdout?.resume();
  child.stderr?.resume();
  await reached(moment, { dir, tookMs, signal: over.signal });
  const { pid } = child;
  if (pid !== undefined && child.exitCode === null) kill(whom === 'family' ? familyOf(pid) : [pid]);
  // What was started while the family was counted goes with it, as in a power cut.
  if (whom === 'family') for (let left = processesOf(dir); left.length > 0; left = processesOf(dir)) kill(left);
  await closed;
  await gone(dir);
}

/** Waits until nothing runs for the repository. Throws with what still does after five seconds (R-DEL-6). */
async function gone(dir: string): Promise<void> {
  for (const until = performance.now() + GONE_MS_MAX; processesOf(dir).length > 0; await sleep(20)) {
    if (performance.now() > until) throw new Error(`Still running: ${processesOf(dir).map(commandOf).join('; ')}`);
  }
}

function commandOf(pid: number): string {
  return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
}

function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It left by itself meanwhile.
    }
  }
}

/** Ids of the tasks that are recorded on the branch, in order. */
export function recorded({ git }: Stage): readonly string[] {
  if (git('branch', '--list', 'feat/demo') === '') return [];
  return git('log', '--reverse', '--format=%(trailers:key=Specloop-Task,valueonly)', 'main..feat/demo')
    .split('\n')
    .filter(Boolean);
}

/** How often an agent was started on each task, reviewers aside. */
export function starts({ scriptPath }: Stage): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { what, role, taskId } of readTrace(scriptPath)) {
    if (what === 'started' && role !== 'reviewer') counts[taskId] = (counts[taskId] ?? 0) + 1;
  }
  return counts;
}

/** What must be the same whether a run was killed or not. */
export function outcome({ git, dir, isOrdered }: Stage): object {
  const linesOf = (text: string) => text.trim().split('\n');
  const ordered = (lines: readonly string[]) => (isOrdered ? lines : [...lines].sort());
  const progress = textOf(join(dir, 'specs/demo/.progress.md')).replace(/\b[0-9a-f]{8}\b/g, '<commit>');
  return {
    plan: textOf(join(dir, 'specs/demo/tasks.md')),
    progress: ordered(linesOf(progress)),
    drafts: linesOf(keptDrafts({ git })),
    commits: ordered(linesOf(git('log', '--reverse', '--format=%s', 'main..'))),
    files: linesOf(git('ls-tree', '-r', 'HEAD')).filter((line) => !line.endsWith('.progress.md')),
    uncommitted: git('status', '--porcelain'),
    branch: git('symbolic-ref', '--short', 'HEAD').trim(),
    branches: linesOf(git('branch', '--format=%(refname:short)')),
    worktrees: linesOf(git('worktree', 'list')).length,
    specFolder: readdirSync(join(dir, 'specs/demo')).sort(),
    running: processesOf(dir),
  };
}

/** What the newest run that was undone made, by the ref that keeps it. */
function keptDrafts({ git }: Pick<Stage, 'git'>): string {
  const [ref] = git('for-each-ref', '--sort=-creatordate', '--format=%(refname)', 'refs/specloop/kept/demo/*/drafts')
    .split('\n')
    .filter(Boolean);
  return ref === undefined ? '' : git('ls-tree', '-r', '--name-only', ref);
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The numbers of all journals of the spec, unfinished last lines aside. */
export function journalNumbers({ dir }: Stage): readonly (readonly number[])[] {
  const specs = join(dir, '.git/.specloop/specs');
  return readdirSync(specs, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('journal.jsonl'))
    .map((path) => readFileSync(join(specs, path), 'utf8').split('\n').slice(0, -1))
    .map((lines) => lines.map((line) => (JSON.parse(line) as Envelope).seq));
}
