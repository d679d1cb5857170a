import type { Task } from './task.ts';

/** A part of a task that no one may change while an agent runs (R-VER-3), and its name in messages. */
export type TaskPart =
  | 'title'
  | 'markers'
  | 'phase'
  | 'Do'
  | 'Files'
  | 'Done when'
  | 'Verify'
  | 'Commit'
  | 'references';

/** The parts of `right` that differ from those of `left`; box and block are not compared. */
export function changedParts(left: Task, right: Task): readonly TaskPart[] {
  const changed: TaskPart[] = [];
  const compare = (part: TaskPart, before: unknown, after: unknown): void => {
    if (before !== after && !changed.includes(part)) changed.push(part);
  };
  compare('title', left.title, right.title);
  compare('markers', list([...left.markers, `${left.optional}`]), list([...right.markers, `${right.optional}`]));
  compare('phase', left.phase, right.phase);
  compare('Do', left.steps, right.steps);
  compare('Files', list(left.files), list(right.files));
  compare('Files', left.filesKnown, right.filesKnown);
  compare('Done when', left.doneWhen, right.doneWhen);
  compare('Verify', left.verifyText, right.verifyText);
  compare('Verify', left.verifyCommand, right.verifyCommand);
  compare('Commit', left.commit, right.commit);
  compare('Commit', left.commitKind, right.commitKind);
  compare('references', list(left.requirements), list(right.requirements));
  compare('references', list(left.design), list(right.design));
  compare('references', list(left.dependsOn), list(right.dependsOn));
  return changed;
}

function list(values: readonly string[]): string {
  return values.length === 0 ? '' : JSON.stringify(values);
}
