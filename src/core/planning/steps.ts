import type { Drafted, DraftStep } from '../plan/data/step.ts';
import { DESIGN_FILE, REQUIREMENTS_FILE, RESEARCH_FILE, TASKS_FILE } from '../spec-files.ts';
import type { GoalClass } from './goal-class.ts';

/** The documents of a spec, in the order they are made. */
export const DOCUMENTS: readonly Drafted[] = ['research', 'requirements', 'design', 'tasks'];

/** The file of each document. */
export const FILE_OF: Readonly<Record<Drafted, string>> = {
  research: RESEARCH_FILE,
  requirements: REQUIREMENTS_FILE,
  design: DESIGN_FILE,
  tasks: TASKS_FILE,
};

const ROLE_OF: Readonly<Record<Drafted, DraftStep['role']>> = {
  research: 'researcher',
  requirements: 'product-manager',
  design: 'architect',
  tasks: 'planner',
};

const COMMITTED_AS: Readonly<Record<Drafted, string>> = {
  research: 'add research findings',
  requirements: 'add requirements',
  design: 'add technical design',
  tasks: 'add implementation tasks',
};

/** The documents that a class of goal needs (R-PLAN-4), without those that a person leaves out. */
export function documentsOf(goalClass: GoalClass, skipped: readonly Drafted[] = []): readonly Drafted[] {
  return NEEDED[goalClass].filter((name) => name === 'tasks' || !skipped.includes(name));
}

const NEEDED: Readonly<Record<GoalClass, readonly Drafted[]>> = {
  trivial: ['tasks'],
  'bug-fix': ['research', 'tasks'],
  refactor: ['research', 'design', 'tasks'],
  'mid-sized': DOCUMENTS,
  greenfield: DOCUMENTS,
};

/** The step that drafts a document; `gate` says whether a person approves it before the next one begins. */
export function stepFor(artifact: Drafted, gate: boolean): DraftStep {
  return { artifact, file: FILE_OF[artifact], role: ROLE_OF[artifact], gate };
}

/** The subject of the commit that records a document of this spec. */
export function commitSubject(spec: string, artifact: Drafted): string {
  return `spec(${spec}): ${COMMITTED_AS[artifact]}`;
}

/** The documents that a later one can have been made from. */
export function documentsBefore(artifact: Drafted): readonly Drafted[] {
  return DOCUMENTS.slice(0, DOCUMENTS.indexOf(artifact));
}

/** The command that drafts a document, without the name of the program. */
export function commandOf(artifact: Drafted): string {
  return artifact === 'tasks' ? 'tasks --generate' : artifact;
}
