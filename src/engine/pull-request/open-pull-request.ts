import { hashesIn } from '../../core/progress/completed.ts';
import { bodyWith, titleOf } from '../../core/pull-request/body.ts';
import type { Described } from '../../core/pull-request/body-sections.ts';
import type { PullRequest } from '../../core/pull-request/seen.ts';
import { remarkWords } from '../../core/run/remark.ts';
import { ForgeFault } from '../../ports/forge.ts';
import type { StepEvent, StepScene } from './scene.ts';

/** Finds the pull request of the branch, or opens one (R-PR-1). */
export async function openPullRequest(scene: StepScene): Promise<StepEvent> {
  const { state, hosting } = scene;
  const { forge } = hosting;
  const { branch, tip, policy } = state;
  const found = await forge.find(branch);
  const isOurs = found?.state === 'open' || (found?.state === 'merged' && found.head === tip);
  if (found && isOurs) {
    if (found.state === 'open') await describe(scene, found);
    return { type: 'pull-request-opened', pullRequest: found, isNew: false };
  }
  const { base, isDraft = false, labels = [], reviewers = [] } = policy.pullRequest ?? {};
  const described = await describedBy(scene);
  const pullRequest = await forge.open({
    branch,
    ...(base === undefined ? {} : { base }),
    title: titleOf(described),
    body: bodyWith((await forge.template()) ?? '', described),
    isDraft,
    labels,
    reviewers,
  });
  return { type: 'pull-request-opened', pullRequest, isNew: true };
}

/** Renews our part of the body; the title, and what people wrote, stays (R-PR-12). */
export async function describe(
  scene: StepScene,
  { number, title, body }: Pick<PullRequest, 'number' | 'title' | 'body'>,
): Promise<void> {
  const renewed = bodyWith(body, await describedBy(scene));
  if (renewed === body) return;
  try {
    await scene.hosting.forge.describe(number, { title, body: renewed });
  } catch (error) {
    // A description that is a little old holds nothing up.
    if (!(error instanceof ForgeFault)) throw error;
  }
}

async function describedBy({ state, world }: StepScene): Promise<Described> {
  const { tasks } = state;
  const progress = (await world.files.read(world.spec.progressFile)) ?? '';
  return {
    spec: world.spec.name,
    tasks,
    commits: hashesIn(progress),
    coverage: await world.coverage(),
    remarks: new Map(tasks.map(({ key }) => [key, remarkWords(state, key)])),
  };
}
