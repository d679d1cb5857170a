import { answers } from '../../../src/adapters/forge/marks.ts';
import { originOf } from '../../../src/core/plan/data/lifecycle.ts';
import { defaultPullRequestPolicy } from '../../../src/core/pull-request/policy.ts';
import type { Comment, Seen } from '../../../src/core/pull-request/seen.ts';
import type { RunState } from '../../../src/core/run/data/state.ts';
import type { End } from '../life.ts';
import { TASKS, type World } from '../world.ts';
import { type Hosted, LISTED_BOT } from './hosted.ts';

/** What must hold of a pull request when a life is over, whatever happened in it. */
export function hostedIsKept(world: World, hosted: Hosted, last: End | undefined): void {
  nothingIsAnsweredTwice(world, hosted);
  tasksHaveOneOrigin(world);
  strangersMakeNoTask(world, hosted);
  fixesAreLimited(world);
  peoplesCommitsAreKept(world, hosted);
  peoplesWordsAreKept(world, hosted);
  peoplesPlanIsKept(world);
  if (last?.how !== 'over') return;
  const { result, reason } = last.state.ended ?? {};
  if (result === 'completed') completionIsTrue(world, hosted, last.state);
  else if (hosted.script.completes && world.asked === 0)
    world.violated('R-PR-5', `The run ended as ${result}, although nothing stood in its way: ${reason}`);
}

/** R-PR-12: no comment has two answers of ours. */
function nothingIsAnsweredTwice(world: World, { site }: Hosted): void {
  for (const { number } of site.pullRequests) {
    for (const of of [String(number), ...site.threadsOf(number)]) {
      const marks = site
        .commentsOf(of)
        .filter(({ author }) => author.isSelf)
        .flatMap(
          ({ body }) => /\b(?:Done in|addressed in)\b[\s\S]*<!-- specloop: answers (\S+) -->/.exec(body)?.[1] ?? [],
        );
      if (new Set(marks).size < marks.length)
        world.violated('R-PR-12', `${of} was answered twice: ${marks.join(', ')}.`);
    }
  }
}

function origins(world: World): readonly string[] {
  return world.planAt(world.tip).tasks.flatMap((task) => originOf(task) ?? []);
}

/** R-PR-3: the same finding never makes two tasks. */
function tasksHaveOneOrigin(world: World): void {
  const all = origins(world);
  const twice = all.filter((origin, at) => all.indexOf(origin) !== at);
  if (twice.length > 0) world.violated('R-PR-3', `Two tasks were made from ${twice.join(', ')}.`);
}

/** R-PR-4: what people without rights and other bots write makes no task. */
function strangersMakeNoTask(world: World, { site }: Hosted): void {
  const comments = site.pullRequests.flatMap(({ number }) =>
    site.threadsOf(number).flatMap((thread) => site.commentsOf(thread)),
  );
  for (const origin of origins(world)) {
    const [kind, , id] = origin.split(' ');
    const comment = kind === 'thread' ? comments.find((one) => one.id === id) : undefined;
    if (comment !== undefined && !counts(comment))
      world.violated('R-PR-4', `A task was made from a comment by ${comment.author.name}.`);
  }
}

function counts({ author }: Comment): boolean {
  return author.mayWrite || author.name === LISTED_BOT;
}

/** R-PR-5: one check makes only so many tasks. */
function fixesAreLimited(world: World): void {
  const { maxFixesPerCheck } = world.scenario.policy.pullRequest ?? defaultPullRequestPolicy;
  const count = new Map<string, number>();
  for (const origin of origins(world)) {
    const name = /^check \S+ (.+)$/.exec(origin)?.[1];
    if (name !== undefined) count.set(name, (count.get(name) ?? 0) + 1);
  }
  for (const [name, fixes] of count)
    if (fixes > maxFixesPerCheck) world.violated('R-PR-5', `${fixes} tasks were made from the check ${name}.`);
}

/** R-PR-11: what people pushed is on the branch, there or here. */
function peoplesCommitsAreKept(world: World, hosted: Hosted): void {
  const here = new Set([...world.repository.history(world.tip)].map(({ id }) => id));
  for (const commit of hosted.byPeople)
    if (!here.has(commit) && !hosted.reaches(hosted.head ?? '', commit))
      world.violated('R-PR-11', `The commit ${commit.slice(0, 8)} of somebody else is lost.`);
}

/** R-PR-12: around our part of the body stands what was there before. */
function peoplesWordsAreKept(world: World, { site }: Hosted): void {
  for (const { body } of site.pullRequests)
    if (!body.startsWith('## What\n\nPlease say.\n'))
      world.violated('R-PR-12', 'The template is not in the body any more.');
}

/** R-FILE-7: what a person wrote into the plan while no agent was at work is in it. */
function peoplesPlanIsKept(world: World): void {
  const boxless = (text: string) => text.replaceAll(/\[[ xX]\]/g, '[ ]').replaceAll('\r', '');
  const text = boxless(world.tree.files.get(TASKS) ?? '');
  for (const line of world.planned)
    if (!text.includes(boxless(line))) world.violated('R-FILE-7', `The plan lost what a person wrote: ${line}`);
}

const STALE_MS = 30_000;

/** R-PR-5: all is said to be done only where the last look, a moment ago and at the run's newest commit, saw nothing left. */
function completionIsTrue(world: World, hosted: Hosted, { policy }: RunState): void {
  if (policy.pullRequest === undefined) return;
  const { lastLook } = hosted;
  if (lastLook === undefined) {
    world.violated('R-PR-5', 'The run completed without a look at the pull request.');
    return;
  }
  const { seen, atMs } = lastLook;
  // Whoever merged it decided that it was done.
  if (seen.pullRequest.state === 'merged') return;
  if (seen.pullRequest.head !== world.tip)
    world.violated('R-PR-10', 'The run completed, but its newest commit was not looked at.');
  if (Date.parse(world.clock.now()) - atMs > STALE_MS)
    world.violated(
      'R-PR-5',
      `The run completed on what it had seen ${(Date.parse(world.clock.now()) - atMs) / 1000} s before.`,
    );
  const required = seen.checks.filter(({ isRequired }) => isRequired);
  for (const { name, state } of required.length > 0 ? required : seen.checks)
    if (state !== 'passed') world.violated('R-PR-5', `The run completed, but the check ${name} is ${state}.`);
  if (seen.pullRequest.mergeable === 'conflict')
    world.violated('R-PR-11', 'The run completed, but the pull request is in conflict with its base.');
  for (const what of unanswered(seen, hosted))
    world.violated('R-PR-3', `The run completed, but ${what} has no answer.`);
}

/** What was seen and is asked for, and has no answer by now. */
function unanswered(seen: Seen, { site }: Hosted): readonly string[] {
  const hasAnswer = (of: string, id: string) =>
    site.commentsOf(of).some(({ author, body }) => author.isSelf && answers(body, id));
  const threads = seen.threads.flatMap(({ id, comments }) => {
    const asked = comments.filter((comment) => counts(comment) && !/^Done in/.test(comment.body)).at(-1);
    return asked !== undefined && !hasAnswer(id, asked.id) ? [`comment ${asked.id} of ${asked.author.name}`] : [];
  });
  const reviews = seen.changesRequested
    .filter((review) => counts(review) && !hasAnswer(String(seen.pullRequest.number), review.id))
    .map(({ id }) => `review ${id}`);
  return [...threads, ...reviews];
}
