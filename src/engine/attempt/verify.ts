import { withExitCodes } from '../../core/plan/shell/fed-pipelines.ts';
import type { VerifyRun } from '../../core/verify/evidence.ts';
import { missedVariables, READ_BY_TOOLS } from '../../core/verify/not-passed.ts';
import { StorageFault } from '../../ports/store.ts';
import { type World, workFolder } from '../lane/world.ts';

const OUTPUT_BYTES_MAX = 8 * 1024;

/** Runs a Verify command in the task's tree, contained and with a time limit (R-VER-5, R-DEL-6). */
export async function runVerify(
  world: World,
  { key, command, attempt }: { readonly key: string; readonly command: string; readonly attempt: number },
): Promise<VerifyRun | 'cancelled'> {
  return await runCommand(world, {
    command,
    log: `${key}/attempt-${attempt}.verify.log`,
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
}

/** What commands of the project are run with. */
export type CommandPlace = Pick<
  World,
  | 'git'
  | 'processes'
  | 'tree'
  | 'workdir'
  | 'shell'
  | 'environment'
  | 'withheld'
  | 'commandNetwork'
  | 'verifyTimeoutMs'
  | 'redact'
  | 'signal'
> & { readonly folder: Pick<World['folder'], 'logPath'> };

/** Runs a command of the project in a shell, as written but for the exit codes that its pipelines would lose (R-VER-15). */
export async function runCommand(
  world: CommandPlace,
  { command, log, outputBytesMax }: { readonly command: string; readonly log: string; readonly outputBytesMax: number },
): Promise<VerifyRun | 'cancelled'> {
  const { git, processes, tree, shell, environment, commandNetwork, verifyTimeoutMs, folder, redact, signal } = world;
  const ended = await processes.run({
    argv: [shell, '-c', withExitCodes(command)],
    cwd: workFolder(world),
    tree: tree.dir,
    env: environment,
    network: commandNetwork,
    limits: { wallMs: verifyTimeoutMs },
    tailBytesMax: outputBytesMax,
    logFile: folder.logPath(log),
    signal,
  });
  await git.clearLocks(tree);
  if (ended.how === 'not-started' && ended.reason === 'no-resources')
    throw new StorageFault('io', tree.dir, ended.message); // It says nothing about the work (R-ADV-6).
  if (ended.how === 'not-started') return { command, how: 'not-started', output: redact(ended.message), durationMs: 0 };
  const output = [ended.stdout.text, ended.stderr.text].filter((text) => text.trim() !== '').join('\n');
  const measured = { command, output: redact(output), durationMs: ended.durationMs };
  if (ended.how === 'exited' && ended.code === 0) return { ...measured, how: 'exited', exitCode: 0 };
  const missed = missedVariables({ texts: [command, output], withheld: world.withheld }, READ_BY_TOOLS);
  const failed = { ...measured, ...(missed.length > 0 && { notPassed: missed }) };
  if (ended.how === 'exited') return { ...failed, how: 'exited', exitCode: ended.code };
  if (ended.by === 'cancel') return 'cancelled';
  return ended.by === 'wall-timeout'
    ? { ...failed, how: 'timed-out', limitMs: verifyTimeoutMs }
    : { ...failed, how: 'killed' };
}
