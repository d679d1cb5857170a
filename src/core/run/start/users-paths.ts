import type { PlannedTask } from '../../plan/data/planned-task.ts';
import {
  isBookkeeping,
  isCurrentSpec,
  isOfSpec,
  isPrivate,
  type SpecBooks,
  type SpecLayout,
} from '../../spec-files.ts';

/**
 * The uncommitted paths that a run neither commits nor touches: all but what the coordinator writes itself, and the documents
 * that steps of planning are still to draft (R-START-2, R-PLAN-2).
 */
export function untouchedPaths(
  paths: readonly string[],
  spec: SpecBooks,
  tasks: readonly Pick<PlannedTask, 'step' | 'files' | 'checked'>[] = [],
): readonly string[] {
  const drafts = new Set(tasks.flatMap(({ step, files, checked }) => (step === undefined || checked ? [] : files)));
  return paths.filter((path) => !isOurs(path) && !isBookkeeping(path, spec) && !drafts.has(path));
}

/** The uncommitted paths that are a person's own: neither of the spec that is run nor private files of specloop (R-START-2). */
export function usersPaths(paths: readonly string[], spec: SpecLayout): readonly string[] {
  return paths.filter((path) => !isOfSpec(path, spec) && !isOurs(path));
}

/** Files that specloop writes in or next to any spec; they are no one's work (R-FILE-8). */
function isOurs(path: string): boolean {
  return isPrivate(path) || isCurrentSpec(path);
}
