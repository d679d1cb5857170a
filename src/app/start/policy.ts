import { availableParallelism } from 'node:os';
import type { LoadedSettings } from '../../config/load.ts';
import { isOfCommand } from '../../config/origin.ts';
import { isProvenByReview } from '../../core/plan/data/left-out.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { Policy } from '../../core/policy.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { choosePolicy, type StatedLimits } from '../../core/run/start/choose-policy.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import type { SpecPlace } from '../place.ts';
import { findTestCommand } from '../shell/test-command.ts';
import { workdirOf } from '../shell/workdir.ts';
import type { FactsAtStart } from './ready.ts';

/** Settings that are part of the policy under the same name. */
const SAME_NAME = [
  'bookkeeping',
  'maxTaskIterations',
  'maxGlobalIterations',
  'stallAfter',
  'recoveryMode',
  'maxFixTasksPerOriginal',
  'maxFixTaskDepth',
  'review',
  'scope',
  'keepFailedChanges',
  'jobs',
  'isolation',
  'parallelOverlap',
  'commitSpec',
  'maxTokens',
] as const satisfies readonly (keyof Policy & keyof LoadedSettings['settings'])[];

const JOBS_MAX = 5;

/** What settings and the last run, whose state is given, say of the next one. */
export function policySource(
  place: SpecPlace,
  last: RunState | undefined,
): Pick<FactsAtStart, 'testCommand' | 'hadPullRequest' | 'policyFor'> {
  const workdir = workdirOf(place);
  const testCommand = findTestCommand(place, workdir);
  const previous = last ? { previous: { policy: last.policy, resumes: isUnfinished(last) } } : {};
  return {
    testCommand,
    hadPullRequest: last !== undefined && isUnfinished(last) && last.policy.pullRequest !== undefined,
    policyFor: (plan, stated) =>
      policyOf(place, {
        stated,
        plan,
        totalTasks: plan.tasks.length,
        testCommand: testCommand?.command,
        workdir,
        ...previous,
      }),
  };
}

/** The policy that settings, state file and the last run make together (R-START-4). */
function policyOf(
  { loaded: { settings, origins }, spec }: Pick<SpecPlace, 'loaded' | 'spec'>,
  {
    testCommand,
    workdir,
    plan,
    ...facts
  }: {
    readonly stated: StatedLimits;
    readonly previous?: { readonly policy: Policy; readonly resumes: boolean };
    readonly plan: Plan;
    readonly totalTasks: number;
    readonly testCommand: string | undefined;
    readonly workdir: string;
  },
): Policy {
  const told: Record<string, unknown> = {};
  const configured: Record<string, unknown> = { jobs: Math.min(JOBS_MAX, availableParallelism()) };
  const take = (key: string, name: string, value: unknown) => {
    if (value === undefined) return;
    (isOfCommand(origins.get(key)) ? told : configured)[name] = value;
  };
  for (const key of SAME_NAME) take(key, key, settings[key]);
  if (settings.optional || origins.get('optional')?.from !== 'default')
    take('optional', 'withOptional', settings.optional);
  if (isProvenByReview(plan) && origins.get('review')?.from === 'default') configured.review = 'always';
  if (spec.isForced) take('dialect', 'dialect', spec.format.dialect);
  take('maxCost', 'maxCostUsd', settings.maxCost);
  take('maxWait', 'maxWaitMs', settings.maxWait);
  take('maxTime', 'maxTimeMs', settings.maxTime);
  take('testCommand', 'testCommand', testCommand);
  if (workdir !== '' || settings.workdir !== undefined) take('workdir', 'workdir', workdir);
  return choosePolicy({ told, configured, ...facts });
}
