import { isLifecyclePhase } from '../plan/data/lifecycle.ts';
import type { PlannedTask } from '../plan/data/planned-task.ts';

/** The next free ids of the section of the lifecycle: `5.4`, `5.5`, … (R-PR-2). */
export function lifecycleIds(tasks: readonly PlannedTask[], count: number): readonly string[] {
  const phase = sectionNumber(tasks);
  const used = tasks.map(({ id }) => Number(new RegExp(`^${phase}\\.(\\d{1,6})(?:\\D|$)`).exec(id)?.[1] ?? 0));
  const last = Math.max(0, ...used);
  return Array.from({ length: count }, (_, at) => `${phase}.${last + 1 + at}`);
}

/** The number that the heading of the section gives, or else its tasks; the next one after all others where there is no section. */
export function sectionNumber(tasks: readonly PlannedTask[]): number {
  const own = tasks.filter(({ phase }) => isLifecyclePhase(phase));
  const named = /\bphase\s+(\d{1,6})/i.exec(own[0]?.phase ?? '')?.[1];
  if (named !== undefined) return Number(named);
  const numbers = (some: readonly PlannedTask[]) => some.map(({ id }) => Number(/^(\d{1,6})\./.exec(id)?.[1] ?? 0));
  const ofOwn = Math.max(0, ...numbers(own));
  return ofOwn > 0 ? ofOwn : Math.max(0, ...numbers(tasks)) + 1;
}
