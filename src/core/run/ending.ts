import { isToDo } from './candidate.ts';
import type { RunEnding } from './data/run-ending.ts';
import { type RunState, taskOf } from './data/state.ts';
import { atGate } from './gate.ts';
import { waitsForAnswer } from './question.ts';
import { waitsForAnswers } from './questions.ts';
import { realityEnding } from './reproduction.ts';

/** Why nothing new may begin; asked at a task boundary. `undefined` while the run may go on. */
export function ending(state: RunState): RunEnding | undefined {
  if (state.stopping) return { result: 'interrupted', reason: `Stopped by ${state.stopping}.` };
  if (state.gate) return { result: 'waiting', reason: state.gate.reason };
  for (const progress of state.progress.values()) {
    if (progress.at === 'gave-up') return { result: progress.result, reason: progress.reason };
  }
  for (const [key, progress] of state.progress) {
    if (progress.at !== 'asking') continue;
    return (
      waitsForAnswers(state, key) ?? { result: 'waiting', reason: waitsForAnswer(taskOf(state, key).id, progress) }
    );
  }
  const reality = realityEnding(state);
  if (reality) return reality;
  const gate = atGate(state);
  if (gate) return gate;
  if (state.tests.broken !== undefined) return { result: 'stuck', reason: state.tests.broken };
  return state.tasks.some((task) => isToDo(state, task)) ? limit(state) : lateLimit(state);
}

/** With no task left for an agent, only time can run out: for a pull request that is not done. */
function lateLimit({ policy, pullRequest, outOfTime }: RunState): RunEnding | undefined {
  if (!outOfTime || policy.pullRequest === undefined || pullRequest?.ended) return undefined;
  return timeIsUp(outOfTime);
}

function limit({ policy, spent, globalIteration, outOfTime }: RunState): RunEnding | undefined {
  if (globalIteration >= policy.maxGlobalIterations) {
    return reached(`ERROR: Max global iterations (${policy.maxGlobalIterations}) reached.`, '--max-global-iterations');
  }
  if (policy.maxCostUsd !== undefined && spent.costUsd >= policy.maxCostUsd) {
    return reached(
      `ERROR: Budget of ${policy.maxCostUsd} USD reached (spent ${spent.costUsd.toFixed(2)}${spent.isCostEstimated ? ', estimated' : ''}).`,
      '--max-cost',
    );
  }
  if (policy.maxTokens !== undefined && spent.tokens >= policy.maxTokens) {
    return reached(`ERROR: Budget of ${policy.maxTokens} tokens reached (spent ${spent.tokens}).`, '--max-tokens');
  }
  return outOfTime && timeIsUp(outOfTime);
}

function timeIsUp({ limitMs }: NonNullable<RunState['outOfTime']>): RunEnding {
  return reached(`ERROR: Time limit of ${Math.round(limitMs / 1000)} s reached.`, '--max-time');
}

function reached(what: string, flag: string): RunEnding {
  return { result: 'limit', reason: `${what} A new run starts counting at zero; ${flag} raises the limit.` };
}
