import type { Policy } from '../../core/run/policy.ts';
import { batchAt } from '../../core/spec/batches.ts';
import type { Plan, Task } from '../../core/spec/task.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import type { Surroundings } from '../command.ts';

interface DryRun extends Surroundings {
  readonly spec: string;
  readonly agents: string;
  readonly policy: Policy;
}

const TITLE_CHARS_MAX = 100;

/** Prints the order in which the tasks would run, and changes nothing (R-START-8). */
export function dryRun(plan: Plan, { stdout, spec, agents, policy }: DryRun): number {
  const open = plan.tasks.filter((task) => !task.checked);
  stdout.write(
    `${spec}: ${plan.tasks.length - open.length} of ${plan.tasks.length} tasks done; agent: ${oneLine(agents, TITLE_CHARS_MAX)}; at most ${policy.maxTaskIterations} attempts a task, ${policy.maxGlobalIterations} in all.\n`,
  );
  for (let at = 0; at < plan.tasks.length; ) {
    const batch = batchAt(plan.tasks, at);
    const together = batch.length > 1 && policy.jobs > 1 ? '  (at the same time)' : '';
    for (const index of batch) {
      const task = plan.tasks[index];
      if (task && !task.checked) stdout.write(`  ${line(task)}${together}\n`);
    }
    at = Math.max(at, ...batch) + 1;
  }
  stdout.write('Nothing was changed.\n');
  return 0;
}

function line(task: Task): string {
  const role = task.verify ? 'verifier' : 'executor';
  const verify =
    task.verifyCommand === null ? `no command (${task.verifyKind})` : oneLine(task.verifyCommand, TITLE_CHARS_MAX);
  return `${task.index}. ${task.id} ${oneLine(task.title, TITLE_CHARS_MAX)} [${role}] Verify: ${verify}`;
}
