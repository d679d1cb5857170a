import type { Drafted, Topic } from '../plan/data/step.ts';
import type { ListedStep } from './step-plan.ts';
import { commitSubject, documentsBefore, stepFor } from './steps.ts';
import { topicStep } from './topics.ts';

/** Where planning stops for a person's approval (R-GATE-6). */
export type Gates = 'each' | 'final' | 'none';

/** What is asked of planning, as far as it says which documents are drafted. */
export interface StepsAsked {
  /** Name of the spec. */
  readonly spec: string;
  /** The documents that its goal needs. */
  readonly needed: readonly Drafted[];
  /** The documents that are there. */
  readonly there: readonly Drafted[];
  /** Those of them that later drafts leave as they are: nothing that they were made from has changed; absent for none. */
  readonly current?: readonly Drafted[];
  /** The document that is drafted, again if it is there; absent for all that are missing. */
  readonly from?: Drafted;
  /** Draft no later document. */
  readonly only?: boolean;
  readonly gates: Gates;
  /** The topics that research is divided into; empty where one agent does all of it. */
  readonly topics?: readonly Topic[];
  /** The topics whose parts are there, from a run that stopped before it merged them. */
  readonly parts?: readonly Topic[];
}

/**
 * The steps of a run of planning: the documents that are there and kept, then those to draft, up to the first that a person
 * approves, which ends the run (R-PLAN-2, R-GATE-6).
 */
export function listSteps(asked: StepsAsked): readonly ListedStep[] {
  const listed = documentsListed(asked).flatMap((artifact): readonly ListedStep[] => {
    const gate = asked.gates === 'each' || (asked.gates === 'final' && artifact === asked.needed.at(-1));
    const isDone = isKept(artifact, asked);
    const commit = commitSubject(asked.spec, artifact);
    const { topics = [], parts = [] } = asked;
    const step = stepFor(artifact, gate);
    if (artifact !== 'research' || isDone || topics.length === 0) return [{ step, isDone, commit }];
    return [
      ...topics.map((topic) => ({ step: topicStep(topic), isDone: parts.includes(topic), commit })),
      { step: { ...step, parts: topics }, isDone, commit },
    ];
  });
  const firstGate = listed.findIndex(({ step, isDone }) => step.gate && !isDone);
  return firstGate === -1 ? listed : listed.slice(0, firstGate + 1);
}

function documentsListed({ needed, there, from, only = false }: StepsAsked): readonly Drafted[] {
  if (from === undefined) return needed;
  const before = documentsBefore(from);
  const later = only ? [] : needed.filter((artifact) => artifact !== from && !before.includes(artifact));
  return [...before.filter((artifact) => there.includes(artifact)), from, ...later];
}

function isKept(artifact: Drafted, { there, from, current = [] }: StepsAsked): boolean {
  if (from === undefined) return there.includes(artifact);
  return documentsBefore(from).includes(artifact) || (artifact !== from && current.includes(artifact));
}
