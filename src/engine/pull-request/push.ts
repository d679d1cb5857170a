import type { PullRequestStep } from '../../core/pull-request/step.ts';
import type { StepEvent, StepScene } from './scene.ts';

/** Brings the branch to the remote, never by force, and never the default branch (R-PR-1, R-PR-6). */
export async function push(
  { commit }: Extract<PullRequestStep, { step: 'push' }>,
  { state, world, hosting: { forge, remote } }: StepScene,
): Promise<StepEvent> {
  const { branch } = state;
  const { base } = state.policy.pullRequest ?? {};
  if (state.pullRequest?.pushed === undefined) {
    const { defaultBranch, mayWrite, repository } = await forge.access();
    if (branch === defaultBranch || branch === base) return onItself(branch);
    if (!mayWrite)
      return { type: 'forge-failed', trouble: 'denied', message: `Your account may not write to ${repository}.` };
  }
  const pushed = await world.watch.own(() => remote.push(branch, commit));
  if (pushed.how === 'pushed') return { type: 'branch-pushed', commit, isNew: pushed.isNew };
  return { type: 'push-refused', cause: pushed.cause, output: world.redact(pushed.output) };
}

function onItself(branch: string): StepEvent {
  return {
    type: 'forge-failed',
    trouble: 'denied',
    message: `The run is on ${branch}, the branch that pull requests are merged into. Make a branch for it (git switch -c NAME) and run specloop pr.`,
  };
}
