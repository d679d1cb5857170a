import type { Effect } from '../core/run/data/effect.ts';
import type { RunEvent } from '../core/run/data/event.ts';
import type { HandOver } from '../core/run/data/hand-over.ts';
import type { RunState } from '../core/run/data/state.ts';
import { stepOf } from '../core/run/drafts.ts';
import { laneOf } from '../core/run/lane-of.ts';
import { unreachable } from '../core/unreachable.ts';
import { withUsersChanges } from './attempt/users-changes.ts';
import { closeBatch } from './effects/batch.ts';
import { check } from './effects/check.ts';
import { checkDraft } from './effects/check-draft.ts';
import { commit } from './effects/commit.ts';
import { delegate, takeUpTask } from './effects/delegate.ts';
import { finish } from './effects/finish.ts';
import { hold } from './effects/hold.ts';
import { measure } from './effects/measure.ts';
import { modify } from './effects/modify.ts';
import { planFix } from './effects/plan-fix.ts';
import { prepare } from './effects/prepare.ts';
import { recordDraft } from './effects/record-draft.ts';
import { reproduce } from './effects/reproduce.ts';
import { review, takeUpReview } from './effects/review.ts';
import { rollBack } from './effects/roll-back.ts';
import { setAside } from './effects/set-aside.ts';
import { setDraftAside } from './effects/set-draft-aside.ts';
import { runTests } from './effects/test.ts';
import { wait } from './effects/wait.ts';
import type { World } from './lane/world.ts';
import { takeStep } from './pull-request/take-step.ts';

/**
 * Carries out one effect and resolves with the event that says what came of it; `undefined` if it was handed over. Throws
 * only what the run cannot go on after.
 */
export async function perform(effect: Effect, state: RunState, world: World): Promise<RunEvent | undefined> {
  const there = 'lane' in effect ? { ...world, lane: effect.lane } : world;
  const event = await withUsersChanges(effect, state, there, () => carryOut(effect, state, there));
  if (event === undefined) return undefined;
  // A hook may print secrets.
  const isOfHook = event.type === 'commit-refused' || event.type === 'commit-blocked';
  return isOfHook ? { ...event, output: world.redact(event.output) } : event;
}

/** Takes up an effect that an earlier process of this run handed over; `undefined` while it is not reported. */
export async function takeUp(handOver: HandOver, state: RunState, world: World): Promise<RunEvent | undefined> {
  const effect = { ...handOver.effect, lane: laneOf(state, handOver.effect.task) };
  const given = { ...handOver, effect };
  const there = { ...world, lane: effect.lane };
  if (effect.do === 'delegate') return await takeUpTask(given, state, there);
  return await withUsersChanges(effect, state, there, () => takeUpReview(given, state, there));
}

async function carryOut(effect: Effect, state: RunState, world: World): Promise<RunEvent | undefined> {
  switch (effect.do) {
    case 'prepare':
      return await prepare(state, world);
    case 'delegate':
      return await delegate(effect, state, world);
    case 'check':
      return await check(effect, state, world);
    case 'review':
      return await review(effect, state, world);
    case 'hold':
      return await hold(effect, state, world);
    case 'plan-fix':
      return await planFix(effect, state, world);
    case 'modify':
      return await modify(effect, state, world);
    case 'commit':
      return await commit(effect, state, world);
    case 'set-aside':
      return stepOf(state, effect.task) === undefined
        ? await setAside(effect, state, world)
        : await setDraftAside(effect, state, world);
    case 'check-draft':
      return await checkDraft(effect, state, world);
    case 'record-draft':
      return await recordDraft(effect, state, world);
    case 'roll-back':
      return await rollBack(state, world);
    case 'open-batch':
      return { type: 'batch-opened', members: effect.members, base: effect.base };
    case 'close-batch':
      return await closeBatch(state, world);
    case 'test':
      return await runTests(effect, state, world);
    case 'reproduce':
      return await reproduce(effect, state, world);
    case 'measure':
      return await measure(effect, state, world);
    case 'wait':
      return await wait(effect, world);
    case 'pull-request':
      return await takeStep(effect, state, world);
    case 'finish':
      return await finish(effect, state, world);
    default:
      return unreachable(effect);
  }
}
