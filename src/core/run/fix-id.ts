import type { PlannedTask } from '../plan/data/planned-task.ts';

/** The next free number after a task's id (R-REC-5). */
export function nextFixId(tasks: readonly Pick<PlannedTask, 'id'>[], id: string): string {
  const numbers = tasks.flatMap((task) => {
    const rest = task.id.startsWith(`${id}.`) ? task.id.slice(id.length + 1) : '';
    return /^\d+$/.test(rest) ? [Number(rest)] : [];
  });
  return `${id}.${Math.max(0, ...numbers) + 1}`;
}

/** How deep in a line of fixes a task is: dots of its id less one, or the fixes it descends from if those are more (R-REC-3). */
export function fixDepth(tasks: readonly PlannedTask[], task: PlannedTask): number {
  const dots = task.stretch === undefined ? (task.id.match(/\./g)?.length ?? 0) - 1 : 0; // Ids of other tools show no depth.
  return Math.max(dots, lineage(tasks, task).length - 1);
}

/** The task and what it repairs, and so on, up to the original. */
export function lineage(tasks: readonly PlannedTask[], task: PlannedTask): readonly string[] {
  const line = [task.id];
  for (
    let fixes = task.fixes;
    fixes !== undefined && !line.includes(fixes);
    fixes = tasks.find(({ id }) => id === fixes)?.fixes
  )
    line.push(fixes);
  return line;
}
