import type { Drafted } from '../../core/plan/data/step.ts';
import type { StatedChoices } from '../../core/planning/choices.ts';
import { approvedText, rejectedText, staleText } from '../../core/planning/document-text.ts';
import { listSteps, type StepsAsked } from '../../core/planning/list-steps.ts';
import { commandOf, documentsBefore } from '../../core/planning/steps.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError, WaitingError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, latestRun } from '../run/runs.ts';
import { approveHere } from './approve.ts';
import { givenUp } from './comes-next.ts';
import { documentsIn, type SpecDocument, type SpecDocuments } from './documents.ts';
import { measuredBefore } from './measures.ts';
import type { PlannedSteps } from './planned-steps.ts';
import { planningFacts } from './planning-facts.ts';
import type { PlanningOrder, PlanningOutcome } from './planning-order.ts';
import { startPlanning } from './start-planning.ts';
import { topicsOf } from './topics-of.ts';

/** A document that is to be drafted. */
export interface PhaseSteps {
  readonly artifact: Drafted;
  /** Draft no later document. */
  readonly only?: boolean;
  /** No gates, and a reviewer for each draft (R-PLAN-3); `plan-only` has a gate at the end. */
  readonly quick?: 'no-gates' | 'plan-only' | undefined;
  /** Have the draft that is there checked and reviewed, before its author is asked for more. */
  readonly reviewsFirst?: boolean;
  /** Take earlier documents as they are, although they are stale (R-GATE-3). */
  readonly asIs?: boolean;
  readonly choices?: StatedChoices;
  /** The goal of a spec that is not made yet. */
  readonly goal?: string;
}

/** A document that is to be drafted, and how. */
export interface PhaseOrder extends PhaseSteps, Omit<PlanningOrder, 'list' | 'make' | 'isNew'> {
  /** Makes a new spec, before anything else. */
  readonly make?: (place: SpecPlace) => Promise<void>;
}

/**
 * Drafts a document of a spec, again if it is there, and those after it up to the next gate. Approves the documents before it that wait for that, and says so (R-GATE-3).
 * Throws `UserError`, `WaitingError` for an earlier document that is stale, and `HaltedRun`.
 */
export async function draftPhase(start: SpecPlace, host: Host, order: PhaseOrder): Promise<PlanningOutcome> {
  const { asIs = false, make } = order;
  let open: readonly SpecDocument[] = [];
  return await startPlanning(start, host, {
    ...order,
    isNew: make !== undefined,
    list: async (place) => {
      const found = await phaseSteps(place, host, order);
      open = found.open;
      return found;
    },
    make: async (place, { newBranch }) => {
      await make?.(place);
      // On a branch that is not there yet, the run commits what is written here.
      const commits = !newBranch;
      for (const { artifact: earlier } of open) {
        const approved = await approveHere(place, host, { artifact: earlier, asIs, commits });
        for (const one of approved) host.notify(approvedText(one));
      }
    },
  });
}

/** What a phase would draft, and the earlier documents that are approved by going on. Changes nothing; throws as above. */
export async function phaseSteps(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  order: PhaseSteps,
): Promise<PlannedSteps & { readonly open: readonly SpecDocument[] }> {
  const { artifact, asIs = false, choices: stated = {}, goal: newGoal } = order;
  const found = await documentsIn(place, host, { stated, newGoal });
  const open = earlierOpen(place, found, { artifact, asIs });
  // What a person wants changed in a draft is changed in the draft.
  const isRejected = found.documents.some((one) => one.artifact === artifact && one.state === 'rejected');
  const isWhole = artifact !== 'research' || isRejected || order.reviewsFirst === true;
  const topics = isWhole ? {} : await topicsOf(place, host, found.choices);
  const measured = await measuredBefore(place);
  const incomplete = givenUp((await latestRun(archiveOf(place)))?.state);
  const current = found.documents.filter((one) => isCurrent(one) && one.artifact !== incomplete);
  return { ...listOf(place, { ...found, measured, current }, { ...order, ...topics }), open };
}

/** The earlier documents that are approved by going on. */
function earlierOpen(
  { spec }: SpecPlace,
  { documents, needed }: SpecDocuments,
  { artifact, asIs }: { readonly artifact: Drafted; readonly asIs: boolean },
): readonly SpecDocument[] {
  const name = commandLine(spec.operand);
  const before = documents.filter((one) => documentsBefore(artifact).includes(one.artifact));
  const missing = before.find((one) => needed.includes(one.artifact) && one.state === 'missing');
  if (missing !== undefined)
    throw new UserError(
      `${missing.file} is missing, and ${artifact} is made from it.`,
      `Make it first: specloop ${commandOf(missing.artifact)} ${name}. Or leave it out: --skip ${missing.artifact}.`,
    );
  const rejected = before.find(({ rejection }) => rejection !== undefined)?.rejection;
  if (rejected !== undefined)
    throw new WaitingError(
      rejectedText(rejected),
      `Make it again ("specloop ${commandOf(rejected.artifact)} ${name}"), or approve it all the same ("specloop approve ${name} ${rejected.artifact}").`,
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
  found: Parameters<typeof planningFacts>[1] & SpecDocuments & { readonly current: readonly SpecDocument[] },
  {
    artifact,
    only = false,
    quick,
    reviewsFirst = false,
    topics = [],
    parts = [],
  }: PhaseSteps & Pick<StepsAsked, 'topics' | 'parts'>,
): PlannedSteps {
  const { documents, needed, current } = found;
  return {
    steps: listSteps({
      spec: place.spec.name,
      needed,
      there: documents.filter(({ state }) => state !== 'missing').map((one) => one.artifact),
      current: quick === undefined ? current.map((one) => one.artifact) : [],
      from: artifact,
      only,
      topics,
      parts,
      gates: quick === undefined ? place.loaded.settings.gates : quick === 'plan-only' ? 'final' : 'none',
    }),
    planning: {
      ...planningFacts(place, found),
      ...(quick !== undefined && { isQuick: true }),
      ...(reviewsFirst && { reviewsFirst: true }),
    },
    choices: found.choices,
  };
}

/** Whether a document is taken as it is unless it is asked for by name: no draft takes the place of what a person wrote. */
function isCurrent({ state, outdatedBy }: SpecDocument): boolean {
  return state !== 'missing' && state !== 'rejected' && outdatedBy.length === 0;
}
