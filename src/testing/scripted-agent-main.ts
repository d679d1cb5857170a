import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeFiles, type Part, parseScript, type ScriptStep, stepsFor } from './scripted-agent-script.ts';
import { startsOf, trace } from './scripted-agent-trace.ts';

interface Stage {
  readonly part: Part;
  readonly scriptPath: string;
  readonly workspace: string;
}

const KIBIBYTE_LINE = `${'x'.repeat(1023)}\n`;

/** Plays the part that the environment names, and resolves with the exit code. */
async function play(scriptPath: string, env: NodeJS.ProcessEnv): Promise<number> {
  const script = parseScript(readFileSync(scriptPath, 'utf8'));
  const part = { role: env.SPECLOOP_ROLE ?? 'executor', taskId: env.SPECLOOP_TASK_ID ?? '' };
  const stage = { part, scriptPath, workspace: env.SPECLOOP_WORKSPACE ?? process.cwd() };
  trace(scriptPath, {
    ...part,
    what: 'started',
    attempt: Number(env.SPECLOOP_ATTEMPT ?? 0),
    pid: process.pid,
    workspace: stage.workspace,
    prompt: await text(process.stdin),
  });
  const code = await perform(stepsFor(script, part, startsOf(scriptPath, part)), stage);
  trace(scriptPath, { ...part, what: 'left', code });
  return code;
}

async function perform(steps: readonly ScriptStep[], stage: Stage): Promise<number> {
  for (const step of steps) {
    if ('exit' in step) return step.exit;
    await performOne(step, stage);
  }
  return 0;
}

async function performOne(step: Exclude<ScriptStep, { exit: number }>, stage: Stage): Promise<void> {
  if ('print' in step) await print(step.print);
  else if ('floodMiB' in step) await flood(step.floodMiB);
  else if ('stderr' in step) process.stderr.write(step.stderr);
  else if ('sleepMs' in step) await sleep(step.sleepMs);
  else if ('run' in step) run(step.run, stage.workspace);
  else if ('child' in step) leaveChild(step.child, stage);
  else if ('ignoreSignals' in step) for (const signal of step.ignoreSignals) process.on(signal, () => {});
  else changeFiles(step, stage.workspace);
}

/** Waits for a slow reader, or a flood would pile up in memory. */
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await new Promise((go) => process.stdout.once('drain', go));
}

async function flood(mebibytes: number): Promise<void> {
  for (let line = 0; line < mebibytes * 1024; line++) await print(KIBIBYTE_LINE);
}

function run([program, ...args]: readonly [string, ...string[]], workspace: string): void {
  const { error, status } = spawnSync(program, args, {
    cwd: workspace,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  if (error !== undefined || status !== 0) {
    throw new Error(`The step "run" failed: ${program} ended with ${error?.message ?? `exit code ${status}`}.`);
  }
}

function leaveChild(
  { lifeMs, ownSession = false }: { readonly lifeMs: number; readonly ownSession?: boolean },
  stage: Stage,
): void {
  const wait = `setTimeout(() => {}, ${lifeMs})`;
  const child = spawn(process.execPath, ['-e', wait], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: ownSession,
  });
  child.unref();
  if (child.pid !== undefined) trace(stage.scriptPath, { ...stage.part, what: 'left-child', pid: child.pid });
}

const [, , scriptPath] = process.argv;
try {
  if (scriptPath === undefined) throw new Error('The scripted agent needs the path of its script as its argument.');
  process.exitCode = await play(scriptPath, process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
