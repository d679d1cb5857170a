import type { PullRequestStep } from '../../core/pull-request/step.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { untouchedPaths } from '../../core/run/start/users-paths.ts';
import { unreachable } from '../../core/unreachable.ts';
import { ForgeFault } from '../../ports/forge.ts';
import { RemoteFault } from '../../ports/remote.ts';
import type { World } from '../lane/world.ts';
import { answer } from './answer.ts';
import { compare } from './compare.ts';
import { adopt, merge } from './merge.ts';
import { openPullRequest } from './open-pull-request.ts';
import { planFindings } from './plan-findings.ts';
import { takePlanHere } from './plan-here.ts';
import { push } from './push.ts';
import { recordLifecycle } from './record.ts';
import { numberOf, type StepEvent, type StepScene } from './scene.ts';

/** Carries out one step of the lifecycle; what the forge or the remote does not do becomes an event too. */
export async function takeStep(step: PullRequestStep, state: RunState, world: World): Promise<RunEvent> {
  const event = await whatCameOf(step, state, world);
  // A stop, or a commit that waits for a person, is no event of the lifecycle.
  if (event.type === 'commit-blocked' || event.type === 'waited') return event;
  // What a stop cut short says nothing about the forge: the step is taken again at the next start.
  if (world.signal.aborted && (event.type === 'forge-failed' || event.type === 'push-refused'))
    return { type: 'waited' };
  const at = world.clock.now();
  // Agents are about to begin, hours after the last one: what is uncommitted now is none of their work.
  if (event.type === 'tasks-planned' || event.type === 'branch-compared')
    return { ...event, at, ...(await foreignNow(state, world)) };
  return { ...event, at };
}

async function foreignNow(
  { policy }: RunState,
  { git, tree, spec }: World,
): Promise<{ readonly foreign?: readonly string[] }> {
  if (policy.keepFailedChanges) return {};
  const { changes } = await git.inspect(tree);
  const paths = changes.map(({ path }) => path);
  return { foreign: untouchedPaths(paths, spec) };
}

type WhatCame = StepEvent | Extract<RunEvent, { type: 'commit-blocked' | 'waited' }>;

async function whatCameOf(step: PullRequestStep, state: RunState, world: World): Promise<WhatCame> {
  const { hosting } = world;
  if (hosting === undefined) {
    return {
      type: 'forge-failed',
      trouble: 'missing',
      message:
        'All tasks of the agents are done, but the branch has no remote on a forge that is supported, so there is no pull request. Add one (git remote add origin URL) and run specloop pr, or leave it out with --no-pr.',
    };
  }
  try {
    return await taken(step, { state, world, hosting });
  } catch (error) {
    if (error instanceof ForgeFault) {
      const { trouble, message, retryAt } = error;
      const said = world.redact(message);
      return { type: 'forge-failed', trouble, message: said, ...(retryAt === undefined ? {} : { retryAt }) };
    }
    if (!(error instanceof RemoteFault)) throw error;
    const trouble = error.trouble === 'denied' ? 'denied' : 'unavailable';
    return { type: 'forge-failed', trouble, message: world.redact(error.message) };
  }
}

async function taken(step: PullRequestStep, scene: StepScene): Promise<WhatCame> {
  switch (step.step) {
    case 'push':
      return await push(step, scene);
    case 'compare':
      return await compare(scene);
    case 'open':
      return await openPullRequest(scene);
    case 'look':
      return (await takePlanHere(scene)) ?? (await look(scene));
    case 'rerun':
      return { type: 'check-rerun', check: step.check, isRunning: await scene.hosting.forge.rerun(step.job) };
    case 'merge':
      return await merge(step, scene);
    case 'adopt':
      return await adopt(step, scene);
    case 'plan':
      return await planFindings(step, scene);
    case 'answer':
      return await answer(step, scene);
    case 'record':
      return await recordLifecycle(scene);
    default:
      return unreachable(step);
  }
}

async function look(scene: StepScene): Promise<StepEvent> {
  const seen = await scene.hosting.forge.look(numberOf(scene));
  return { type: 'pull-request-seen', ...redacted(seen, scene.world) };
}

/** Secrets are kept out of what becomes an event (R-SEC-2). */
function redacted<T>(seen: T, { redact }: Pick<World, 'redact'>): T {
  // Text by text: what a secret looks like may reach over the quotes of JSON.
  return JSON.parse(JSON.stringify(seen), (_key, value) => (typeof value === 'string' ? redact(value) : value)) as T;
}
