import type { Drafted } from '../../core/plan/step.ts';
import type { StatedChoices } from '../../core/planning/choices.ts';
import { staleText } from '../../core/planning/stale-text.ts';
import { commandOf, commitSubject, documentsBefore, stepFor } from '../../core/planning/steps.ts';
import type { RunState } from '../../core/run/state.ts';
import { UserError, WaitingError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { approveHere, takeApprovalBack } from './approve.ts';
import { documentsIn, type SpecDocument, type SpecDocuments } from './documents.ts';
import { planningFacts } from './planning-facts-of.ts';
import { type PlannedSteps, type PlanningOrder, startPlanning } from './start-planning.ts';

/** A document that is to be drafted, and how. */
export interface PhaseOrder extends Omit<PlanningOrder, 'list' | 'make'> {
  readonly artifact: Drafted;
  /** What a person wants changed in the draft that is there. */
  readonly feedback?: string;
  /** Take earlier documents as they are, although they are stale (R-GATE-3). */
  readonly asIs?: boolean;
  readonly choices?: StatedChoices;
  /** The goal of a spec that is not made yet. */
  readonly goal?: string;
  /** Brings the spec about, before anything else. */
  readonly make?: () => Promise<void>;
}

/**
 * Drafts one document of a spec, again if it is there. Approves the documents before it that wait for that, and says so (R-GATE-3).
 * Throws `UserError`, `WaitingError` for an earlier document that is stale, and `HaltedRun`.
 */
export async function draftPhase(place: SpecPlace, host: Host, order: PhaseOrder): Promise<RunState> {
  const { artifact, asIs = false, make } = order;
  let open: readonly SpecDocument[] = [];
  return await startPlanning(place, host, {
    ...order,
    list: async () => {
      const { choices: stated = {}, goal: newGoal } = order;
      const found = await documentsIn(place, host, { stated, newGoal });
      open = earlierOpen(place, found, { artifact, asIs });
      return listOf(place, found, order);
    },
    make: async ({ newBranch }) => {
      await make?.();
      // On a branch that is not there yet, the run commits what is written here.
      const commits = !newBranch;
      if (order.feedback !== undefined) await takeApprovalBack(place, host, { artifact, commits });
      for (const { artifact: earlier } of open) {
        const approved = await approveHere(place, host, { artifact: earlier, asIs, commits });
        for (const { file, hash } of approved) host.notify(`Approved ${file} (content ${hash}).`);
      }
    },
  });
}

/** The earlier documents that are approved by going on. */
function earlierOpen(
  { spec: { name } }: SpecPlace,
  { documents, needed }: SpecDocuments,
  { artifact, asIs }: { readonly artifact: Drafted; readonly asIs: boolean },
): readonly SpecDocument[] {
  const before = documents.filter((one) => documentsBefore(artifact).includes(one.artifact));
  const missing = before.find((one) => needed.includes(one.artifact) && one.state === 'missing');
  if (missing !== undefined)
    throw new UserError(
      `${missing.file} is missing, and ${artifact} is made from it.`,
      `Make it first: specloop ${commandOf(missing.artifact)} ${name}. Or leave it out: --skip ${missing.artifact}.`,
    );
  const stale = before.find(({ state }) => state === 'stale');
  if (stale !== undefined && !asIs)
    throw new WaitingError(
      staleText(stale),
      `Make it again ("specloop ${commandOf(stale.artifact)} ${name}"), approve it as it is ("specloop approve ${name} ${stale.artifact} --as-is"), or pass --as-is.`,
    );
  return before.filter(({ state }) => state === 'draft' || state === 'stale');
}

function listOf(
  place: SpecPlace,
  found: SpecDocuments,
  { artifact, feedback }: Pick<PhaseOrder, 'artifact' | 'feedback'>,
): PlannedSteps {
  const { name } = place.spec;
  const { documents, needed } = found;
  const { gates } = place.loaded.settings;
  const isLast = needed.at(-1) === artifact;
  const there = documents.filter((one) => one.state !== 'missing' && documentsBefore(artifact).includes(one.artifact));
  const listed = [...there.map((one) => one.artifact), artifact];
  return {
    steps: listed.map((one) => ({
      step: stepFor(one, gates === 'each' || (gates === 'final' && isLast)),
      isDone: one !== artifact,
      commit: commitSubject(name, one),
    })),
    planning: { ...planningFacts(place, found), ...(feedback === undefined ? {} : { feedback }) },
    choices: found.choices,
  };
}
