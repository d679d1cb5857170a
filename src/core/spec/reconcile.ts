import { parsePlan } from './parse.ts';
import type { Plan } from './task.ts';
export function reconcile(before: Plan, after: string | undefined, { own }: { own: readonly string[] }) {
  if (after === before.text)
    return {
      text: before.text,
      plan: before,
      violations: [] as string[],
      additions: [] as string[],
      ownTicked: [] as string[],
    };
  const p = after === undefined ? undefined : parsePlan(after);
  const v: string[] = [];
  for (const t of before.tasks) {
    const n = p?.tasks.find((x) => x.key === t.key);
    if (!n) v.push(`task ${t.id} is gone`);
    else if (n.block.slice(5) !== t.block.slice(5) || (n.checked !== t.checked && !own.includes(t.key)))
      v.push(`task ${t.id} was changed`);
  }
  return { text: before.text, plan: before, violations: v, additions: [] as string[], ownTicked: [] as string[] };
}
