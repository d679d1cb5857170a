import type { Task } from './task.ts';

const ACCEPTANCE = /\b(?:acs?|acceptance|criteri(?:a|on))\b/i;

/** Whether a task checks the acceptance criteria of its spec: a `[VERIFY]` task whose title speaks of them (R-TRACE-1). */
export function checksAcceptance({ verify, title }: Pick<Task, 'verify' | 'title'>): boolean {
  return verify && ACCEPTANCE.test(title);
}
