import { findSpec } from '../../app/find-spec.ts';
import { findPlace, inRepository, type SpecPlace } from '../../app/place.ts';
import { isThere } from '../../app/planning/comes-next.ts';
import { type NewSpec, requireSameGoal, type SpecToMake, specToMake } from '../../app/planning/new-spec.ts';
import { draftAll } from '../../app/planning/quick.ts';
import { nextOf } from '../../app/session/next.ts';
import { planningHome } from '../../app/worktree/home.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { choicesFor, type StatedChoices } from '../../core/planning/choices.ts';
import { classify } from '../../core/planning/classify.ts';
import { documentsOf } from '../../core/planning/steps.ts';
import { onSignals } from '../implement/signals.ts';
import { printNext } from '../session/print-next.ts';
import { type Call, isSet } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { runCall, sessionOf } from '../shared/options.ts';
import { flagsOf } from '../shared/setting-options.ts';
import { atGate, nextAtGate } from './at-gate.ts';
import { choicesOf, quickOf } from './options.ts';
import { runPhase } from './run-phase.ts';
import { runPlanning } from './run-planning.ts';
import { runTasks } from './run-tasks.ts';

/** Makes the spec that is named, or goes on with what comes next for the one that is there; resolves with the exit code (R-PLAN-1). */
export async function startSpec(call: Call): Promise<number> {
  const host = hostOf(call);
  const [name, ...goal] = call.operands;
  const place = await findPlace(host, flagsOf(call));
  const at = { ...place, repository: inRepository(place, host) };
  const isNew = name !== undefined && (isSet(call, '--suffix') || !(await isThere(at, host, name)));
  if (isNew) return await makeSpec(call);
  const found = await findSpec(host, name, flagsOf(call));
  requireSameGoal(found, goal.join(' '));
  return await continueSpec(call, found);
}

/** Makes a spec of a name and a goal, says how the goal is classed, and drafts its documents; resolves with the exit code (R-PLAN-1). */
export async function makeSpec(call: Call, { specsDir }: Pick<NewSpec, 'specsDir'> = {}): Promise<number> {
  const host = hostOf(call);
  const place = await findPlace(host, flagsOf(call));
  const [name = '', ...goal] = call.operands;
  const [choices, quick] = [choicesOf(call), quickOf(call)];
  const made = await specToMake({ ...place, repository: inRepository(place, host) }, host, {
    name,
    goal: goal.join(' '),
    suffix: isSet(call, '--suffix'),
    specsDir,
    choices,
    isQuick: quick !== undefined,
  });
  const [artifact = 'tasks'] = sayClass(call, made, choices);
  if (quick !== undefined) return await makeAll(call, made, { choices, planOnly: quick === 'plan-only' });
  return await runPhase(call, made.place, { artifact, make: made.make, goal: made.goal });
}

/** Says how a goal is classed and by which words; returns the documents that it gets (R-PLAN-4). */
function sayClass(call: Call, { place, goal }: SpecToMake, stated: StatedChoices): readonly Drafted[] {
  const { goalClass, skipped } = choicesFor(goal, '', stated);
  const needed = documentsOf(goalClass, skipped);
  const { because } = classify(goal);
  const why = stated.goalClass !== undefined || because.length === 0 ? '' : ` (by "${because.join('", "')}")`;
  const named = `${place.spec.name}: class ${goalClass}${why}; documents: ${needed.join(', ')}.`;
  call.stderr.write(`${named} --class changes that.\n`);
  return needed;
}

/**
 * Drafts all documents of a new spec and runs its tasks, or with `planOnly` waits for a person first (R-PLAN-3). Given again
 * after an interruption, it goes on.
 */
async function makeAll(
  call: Call,
  { place, goal, make, hasPlan }: SpecToMake,
  { choices, planOnly }: { readonly choices: StatedChoices; readonly planOnly: boolean },
): Promise<number> {
  if (hasPlan && (planOnly || sessionOf(call) !== undefined)) return await continueSpec(call, place, { planOnly });
  if (hasPlan) return await runTasks(call, place);
  const drafted = await runPlanning(call, { place, isNew: true }, (order) =>
    draftAll(place, hostOf(call), { ...order, goal, choices, planOnly, make }),
  );
  if (drafted.gate !== undefined) {
    const next = await atGate(call, drafted.place, { artifact: drafted.gate, code: drafted.code });
    return typeof next === 'number' ? next : await runPhase(call, place, next);
  }
  if (!drafted.isComplete) return drafted.code;
  if (!planOnly) return await runTasks(call, place);
  // A run that began without gates has none at its end.
  call.stderr.write(
    `The documents of ${place.spec.name} wait for your approval: specloop approve ${place.spec.operand}\n`,
  );
  return EXIT.waiting;
}

/** Goes on with what comes next for a spec, and says what that is, or hands it over to a session (R-PLAN-1, R-SES-1). */
async function continueSpec(
  call: Call,
  place: SpecPlace,
  { planOnly = false }: { readonly planOnly?: boolean } = {},
): Promise<number> {
  const session = sessionOf(call);
  if (session !== undefined) {
    const options = { ...(await runCall(call)), spec: place.spec.operand, session, onStop: onSignals };
    return printNext(call, await nextOf(hostOf(call), options));
  }
  const { place: home } = await planningHome(place, hostOf(call));
  const next = await nextAtGate(call, home, { planOnly });
  return typeof next === 'number' ? next : await runPhase(call, place, next);
}
