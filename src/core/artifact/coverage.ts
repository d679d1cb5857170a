import type { Plan, Task, VerifyKind } from '../plan/data/task.ts';
import type { ArtifactText } from './artifact-text.ts';
import { indexTasks, type TasksById, tasksOfId } from './covered.ts';
import { expand } from './expand.ts';
import { type IdKind, readIds } from './ids.ts';
import { outlineOf, sectionAt } from './outline.ts';
import { activeIds, type DefinedId, priorityOf, type Requirements, titleOf } from './requirements.ts';
import { doesWork, idsOfTasks } from './task-ids.ts';

/** What the journals say of a task that a run recorded (R-VER-9). */
export interface TaskProof {
  readonly run: string;
  /** From 1; 0 for a task that the lifecycle of the pull request did. */
  readonly attempt: number;
  /** The Verify command that passed; null where none was run. */
  readonly command: string | null;
  readonly exitCode: number | null;
  readonly commit: string;
}

/** A task that names a requirement or criterion. */
export interface CoveringTask {
  readonly id: string;
  readonly index: number;
  readonly title: string;
  /** Whether it does the work, or only checks it (`[VERIFY]`). */
  readonly does: 'work' | 'check';
  readonly done: boolean;
  readonly verify: { readonly kind: VerifyKind; readonly command: string | null };
  /** Absent where no run on this machine recorded it. */
  readonly proof: TaskProof | null;
}

/** How one requirement or criterion is followed to its proof (R-TRACE-1). */
export interface CoverageRow {
  readonly id: string;
  readonly kind: IdKind;
  readonly title: string;
  /** Where it is defined, from 1. */
  readonly line: number;
  readonly priority: string | null;
  /** The criteria that a requirement names. */
  readonly criteria: readonly string[];
  /** Titles of the sections of the design that name it. */
  readonly design: readonly string[];
  readonly tasks: readonly CoveringTask[];
  /** Whether a task that does work names it. */
  readonly covered: boolean;
  /** Whether all these tasks are recorded, and the Verify command of at least one passed. */
  readonly proven: boolean;
}

/** How far a spec is followed to its proof. Plain data, the same for the same files and journals. */
export interface Coverage {
  readonly requirements: readonly CoverageRow[];
  readonly criteria: readonly CoverageRow[];
  /** Ids that no task does work for. */
  readonly uncovered: readonly string[];
  /** Ids that tasks do work for, and that are not proven. */
  readonly unproven: readonly string[];
}

/** What coverage is made from. */
export interface CoverageSources {
  readonly requirements: Requirements;
  readonly design?: ArtifactText;
  /** The plan and its text. */
  readonly plan?: { readonly plan: Pick<Plan, 'tasks'>; readonly artifact: ArtifactText };
  /** By key of the task. */
  readonly proofs: ReadonlyMap<string, TaskProof>;
}

/** Follows each requirement and criterion to its design, tasks, commands and commits (R-TRACE-1). Retired ids ask for nothing. */
export function coverageOf(sources: CoverageSources): Coverage {
  const { requirements, plan } = sources;
  const tasks = indexTasks(plan === undefined ? [] : idsOfTasks(plan.plan, plan.artifact, requirements));
  const sections = designSections(sources);
  const rows = activeIds(requirements)
    .filter(({ kind }) => kind !== 'US')
    .map((found) => rowOf(found, { ...sources, tasks, sections }));
  const [requirementRows, criteria] = [
    rows.filter(({ kind }) => kind !== 'AC'),
    rows.filter(({ kind }) => kind === 'AC'),
  ];
  const all = [...requirementRows, ...criteria];
  return {
    requirements: requirementRows,
    criteria,
    uncovered: all.filter(({ covered }) => !covered).map(({ id }) => id),
    unproven: all.filter(({ covered, proven }) => covered && !proven).map(({ id }) => id),
  };
}

function rowOf(
  found: DefinedId,
  {
    requirements,
    proofs,
    tasks,
    sections,
  }: CoverageSources & {
    readonly tasks: TasksById;
    readonly sections: ReadonlyMap<string, readonly string[]>;
  },
): CoverageRow {
  const { id, kind, line } = found;
  const naming = tasksOfId(found, tasks, requirements);
  const work = naming.filter(doesWork);
  const isPassed = (task: Task) => passed(task, proofs.get(task.key));
  return {
    id,
    kind,
    title: titleOf(found),
    line,
    priority: kind === 'AC' ? null : (priorityOf(found) ?? null),
    criteria: requirements.criteria.get(id) ?? [],
    design: [...new Set([...(sections.get(id) ?? []), ...naming.flatMap(({ design }) => design)])],
    tasks: naming.map((task) => coveringTask(task, proofs.get(task.key))),
    covered: work.length > 0,
    proven: work.length > 0 && naming.every((task) => isRecorded(task, proofs.get(task.key))) && naming.some(isPassed),
  };
}

function coveringTask(task: Task, proof: TaskProof | undefined): CoveringTask {
  const { id, index, title, checked, verifyKind, verifyCommand } = task;
  const verify = { kind: verifyKind, command: verifyCommand };
  return { id, index, title, does: doesWork(task) ? 'work' : 'check', done: checked, verify, proof: proof ?? null };
}

/** Ticked, and by a run; a tick by hand proves nothing. */
function isRecorded({ checked }: Task, proof: TaskProof | undefined): boolean {
  return checked && proof !== undefined;
}

/** The command that the plan has now is the one that passed. */
function passed(task: Task, proof: TaskProof | undefined): boolean {
  return isRecorded(task, proof) && proof?.exitCode === 0 && proof.command === task.verifyCommand;
}

function designSections({ design, requirements }: CoverageSources): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  if (design === undefined) return found;
  const outline = outlineOf(design);
  const { leading, mentions } = readIds(design);
  for (const mention of [...leading, ...mentions].sort((left, right) => left.line - right.line)) {
    const title = sectionAt(outline, mention.line)?.title;
    if (title === undefined) continue;
    for (const id of expand(mention, requirements.index).ids)
      found.set(id, [...new Set([...(found.get(id) ?? []), title])]);
  }
  return found;
}
