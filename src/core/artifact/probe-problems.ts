import { oneLine } from '../text/sanitise.ts';
import type { Probed, ProbeResult } from '../verify/probe.ts';
import { type ArtifactProblem, type ProblemPlace, problemOf } from './problem.ts';

const CHARS_MAX = 200;
/** The same, found without running the command. */
const SYNTAX_CODE = 'verify-syntax';

type ProblemsOf = (probed: Probed, place: ProblemPlace) => readonly ArtifactProblem[];

const PROBLEMS: Readonly<Record<ProbeResult, ProblemsOf>> = {
  'as-wanted': () => [],
  'passes-already': ({ task: { id } }, place) => [problemOf('probe-passes', place, { id }, id)],
  'not-found': ({ task: { id }, missing = 'a program' }, place) => [
    problemOf('probe-not-found', place, { id, missing: oneLine(missing, CHARS_MAX) }),
  ],
  'bad-syntax': ({ task: { id }, output }, place) => [
    problemOf('probe-syntax', place, { id, output: oneLine(output.split('\n')[0] ?? '', CHARS_MAX) }),
  ],
  'times-out': ({ task: { id }, durationMs }, place) => [
    problemOf('probe-times-out', place, { id, seconds: Math.round(durationMs / 1000) }),
  ],
};

/**
 * What trying the Verify commands of a plan shows to be wrong with it (R-PROBE-1), without what is known already. `file` is
 * the path of the plan.
 */
export function probeProblems(
  probed: readonly Probed[],
  { file, known }: { readonly file: string; readonly known: readonly ArtifactProblem[] },
): readonly ArtifactProblem[] {
  const told = new Set(known.filter(({ code }) => code === SYNTAX_CODE).map(({ line }) => line));
  return probed
    .filter(({ result, line }) => result !== 'bad-syntax' || !told.has(line))
    .flatMap((one) => PROBLEMS[one.result](one, { artifact: { name: 'tasks', file }, line: one.line }));
}
