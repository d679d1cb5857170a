import type { Coverage } from './coverage.ts';

/** One line of how much of a spec is proven, for the end of a run (R-TRACE-1). */
export function coverageText({ requirements, criteria, uncovered, unproven }: Coverage, spec: string): string {
  const total = requirements.length + criteria.length;
  const proven = total - uncovered.length - unproven.length;
  const left = uncovered.length === 0 ? '' : `, ${uncovered.length} named by no task`;
  return `Requirements and criteria: ${proven} of ${total} proven${left}. See "specloop coverage ${spec}".`;
}
