import { decisionLine } from '../planning/decisions.ts';
import { problemCounts, problemLine } from '../planning/draft-problem.ts';
import { specWord } from '../planning/planning-facts.ts';
import { scopeText } from '../progress/scope.ts';
import { counted } from '../text/words.ts';
import type { RunEnding } from './data/run-ending.ts';
import type { RunState } from './data/state.ts';
import { stepOf } from './drafts.ts';

const LISTED_MAX = 20;

/** The end of a run that waits for a person's approval of a draft, and what the person needs to decide (R-GATE-1). */
export function atGate(state: RunState): RunEnding | undefined {
  const key = state.awaitsApproval;
  const step = key === undefined ? undefined : stepOf(state, key);
  if (key === undefined || step === undefined || state.planning === undefined) return undefined;
  const { path } = state.planning;
  const spec = specWord(state.planning);
  const problems = state.drafts.get(key)?.problems ?? [];
  const review = state.reviews.get(key);
  const left = problems.slice(0, LISTED_MAX).map((problem) => `  ${problemLine(problem)}`);
  const more = problems.length > LISTED_MAX ? [`  and ${problems.length - LISTED_MAX} more`] : [];
  const reason = [
    `${path}/${step.file} is ready and waits for your approval.`,
    ...(problems.length === 0 ? [] : [`The checks left ${problemCounts(problems)}:`, ...left, ...more]),
    ...(state.drafts.get(key)?.advisesAgainst
      ? [`Its verdict is: do not build this. Read why before you decide.`]
      : []),
    ...untriedLines(state, key),
    ...scopeOf(state),
    ...decidedLines(state),
    ...(review === undefined ? [] : [`Review: ${[review.status, ...review.findings].join('; ')}`]),
    `To approve it: specloop approve ${spec}`,
    `To have it changed: specloop reject ${spec} --feedback "TEXT"`,
  ].join('\n');
  return { result: 'waiting', reason, wants: { gate: { artifact: step.artifact } } };
}

/** What a person has to know of a plan whose commands no one has run yet (R-PROBE-1). */
function untriedLines({ drafts, planning }: RunState, key: string): readonly string[] {
  const untried = drafts.get(key)?.untried;
  if (untried === undefined) return [];
  const [were, them] = untried === 1 ? ['it was', 'it'] : ['they were', 'them'];
  return [
    `You have not trusted ${counted(untried, 'Verify command')} of it, so ${were} not tried. To read and try ${them}: specloop validate ${planning?.spec ?? ''} --probe`,
  ];
}

/** The scope that was drafted in this run, or that of a person that stays (R-SCOPE-1). */
function scopeOf({ drafts }: RunState): readonly string[] {
  return [...drafts.values()].flatMap(({ scope }) => (scope === undefined ? [] : scopeText(scope)));
}

/** What was taken without a person, and what is still open: a person who approves the draft accepts it (R-ASK-1, R-ASK-2). */
function decidedLines({ decided }: RunState): readonly string[] {
  const of = (basis: 'assumed' | 'open') =>
    decided.filter((one) => one.basis === basis).map((one) => `  ${decisionLine(one)}`);
  const [assumed, open] = [of('assumed'), of('open')];
  return [
    ...(assumed.length === 0 ? [] : ['Assumptions, which no person confirmed:', ...assumed]),
    ...(open.length === 0 ? [] : ['Open questions:', ...open]),
  ];
}
