import type { Coverage } from './coverage.ts';

/** How much of a spec is proven, in one sentence (R-TRACE-1). */
export function coverageCount({ requirements, criteria, uncovered, unproven }: Coverage): string {
  const total = requirements.length + criteria.length;
  const proven = total - uncovered.length - unproven.length;
  const left = uncovered.length === 0 ? '' : `, ${uncovered.length} named by no task`;
  return `Requirements and criteria: ${proven} of ${total} proven${left}.`;
}
