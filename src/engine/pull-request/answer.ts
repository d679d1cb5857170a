import { hashesIn } from '../../core/progress/completed.ts';
import { answerText } from '../../core/pull-request/reply.ts';
import type { PullRequestStep } from '../../core/pull-request/step.ts';
import { numberOf, type StepEvent, type StepScene } from './scene.ts';

const SHORT_HASH = 8;

/** Tells on the forge what was done about a comment, once it is pushed (R-PR-3, R-PR-12). */
export async function answer(
  { to, task: key }: Extract<PullRequestStep, { step: 'answer' }>,
  scene: StepScene,
): Promise<StepEvent> {
  const { state, world, hosting } = scene;
  const task = state.tasks.find((candidate) => candidate.key === key);
  const commits = hashesIn((await world.files.read(world.spec.progressFile)) ?? '');
  const commit = (task && commits.get(task.id)) ?? (state.pullRequest?.pushed ?? state.tip).slice(0, SHORT_HASH);
  const text = answerText({ to, task, commit });
  const number = numberOf(scene);
  if (to.kind === 'thread') {
    const resolves = state.policy.pullRequest?.resolves ?? false;
    await hosting.forge.answerThread(number, to.thread, { text, resolves });
  } else await hosting.forge.answerReview(number, { id: to.review, author: to.author }, text);
  return { type: 'comment-answered', to, ...(key === undefined ? {} : { task: key }) };
}
