import type { Task } from '../plan/data/task.ts';
import { firstOf } from '../text/first-of.ts';
import { type ArtifactProblem, manyText } from './problem.ts';

/** Kinds of problems of a plan of which it may have one for each of its tasks: told once then, with the ids. */
const OF_TASKS: ReadonlyMap<string, string> = new Map([
  ['verify-missing', 'have no Verify field'],
  ['verify-manual', 'are verified by hand: no command is run'],
  ['verify-prose', 'have a Verify that is not a command: no command is run'],
]);
const ALONE_MAX = 2;
const NAMED_MAX = 20;

/** The problems as they are told to people: many of one kind in one file as one, at the first place. */
export function groupedProblems(
  problems: readonly ArtifactProblem[],
  tasks: readonly Task[],
): readonly ArtifactProblem[] {
  const ids = new Map(tasks.map(({ id, box }) => [box.line, id]));
  return problems.flatMap((problem) => {
    const same = problems.filter(({ code, file }) => code === problem.code && file === problem.file);
    if (same.length <= ALONE_MAX) return [problem];
    const message = textOfMany(same, ids);
    if (message === undefined) return [problem];
    return same[0] === problem ? [{ ...problem, message }] : [];
  });
}

function textOfMany(same: readonly ArtifactProblem[], ids: ReadonlyMap<number, string>): string | undefined {
  const code = same[0]?.code ?? '';
  const what = OF_TASKS.get(code);
  const named = same.map(({ subject, line }) => subject ?? ids.get(line) ?? `line ${line}`);
  const subjects = firstOf([...new Set(named)], NAMED_MAX);
  if (what !== undefined) return `${same.length} tasks ${what}: ${subjects}.`;
  return manyText(code, { count: same.length, subjects });
}
