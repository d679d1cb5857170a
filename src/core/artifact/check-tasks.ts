import { isLifecyclePhase, isLifecycleTask } from '../plan/data/lifecycle.ts';
import type { Plan, Task } from '../plan/data/task.ts';
import type { ArtifactText } from './artifact-text.ts';
import { type CheckedSpec, isOutOfScope } from './checked-spec.ts';
import { indexTasks, isCovered } from './covered.ts';
import { designFiles } from './design-files.ts';
import { kindOf } from './expand.ts';
import { type ArtifactProblem, problemOf } from './problem.ts';
import { activeIds, type Requirements } from './requirements.ts';
import { doesWork, idsOfTasks, type TaskIds } from './task-ids.ts';

const STEPS_MAX = 4;
const FILES_MAX = 3;
const BETWEEN_CHECKPOINTS_MAX = 3;
const CONVENTIONAL = /^[a-z]+(?:\([^()\n]{1,60}\))?!?: \S/;

/** What is wrong with a plan, in addition to what its reader reports (R-PLAN-5). Done tasks are left alone. */
export function checkTasks(artifact: ArtifactText, plan: Plan, spec: CheckedSpec): readonly ArtifactProblem[] {
  const own = plan.dialect === 'ralph-specum';
  const open = plan.tasks.filter((task) => !task.checked && !isLifecycleTask(task));
  return [
    ...(own ? open.flatMap((task) => [...fieldProblems(artifact, task), ...sizeProblems(artifact, task)]) : []),
    ...(own ? [...checkpoints(artifact, plan), ...commitForms(artifact, plan)] : []),
    ...open.flatMap((task) => [...otherSpecs(artifact, task, spec), ...outOfScope(artifact, task, spec)]),
    ...order(artifact, plan),
    ...referenceProblems(artifact, plan, spec),
    ...designProblems(plan, spec),
  ];
}

/** Tasks VE1, VE2 …: they start, check and clean up what end-to-end tests need. */
function isEndToEnd({ id, title }: Task): boolean {
  return /^\[?VE\d/.test(id) || /^\[?VE\d/.test(title);
}

function at(artifact: ArtifactText, { box }: Task) {
  return { artifact, line: box.line, column: box.column };
}

function fieldProblems(artifact: ArtifactText, task: Task): readonly ArtifactProblem[] {
  if (task.verify || task.fixes !== undefined || isEndToEnd(task)) return [];
  const missing = [
    ...(task.steps === undefined ? ['Do'] : []),
    ...(task.filesKnown || task.files.length > 0 ? [] : ['Files']),
    ...(task.doneWhen === undefined ? ['Done when'] : []),
    ...(task.commitKind === 'missing' ? ['Commit'] : []),
  ];
  if (missing.length === 0) return [];
  return [problemOf('field-missing', at(artifact, task), { id: task.id, fields: missing.join(', ') }, task.id)];
}

function sizeProblems(artifact: ArtifactText, task: Task): readonly ArtifactProblem[] {
  const steps = (task.steps ?? '').split('\n').filter((line) => /^(?:\d{1,3}[.)]|[-*+])[ \t]/.test(line)).length;
  const files = task.files.length;
  if (task.verify || (steps <= STEPS_MAX && files <= FILES_MAX)) return [];
  const values = { id: task.id, steps, files, stepsMax: STEPS_MAX, filesMax: FILES_MAX };
  return [problemOf('task-too-large', at(artifact, task), values, task.id)];
}

/** Runs of tasks that no [VERIFY] task ends in time; told where the first too many is. */
function checkpoints(artifact: ArtifactText, { tasks }: Plan): readonly ArtifactProblem[] {
  const runs: Task[][] = [[]];
  for (const task of tasks) {
    if (task.verify) runs.push([]);
    else if (task.fixes === undefined && !isLifecyclePhase(task.phase) && !/^VE\d/.test(task.id))
      runs.at(-1)?.push(task);
  }
  return runs.flatMap((run) => {
    const [from, to, tooMany] = [run[0], run.at(-1), run[BETWEEN_CHECKPOINTS_MAX]];
    if (from === undefined || to === undefined || tooMany === undefined || run.every(({ checked }) => checked))
      return [];
    const values = { count: run.length, from: from.id, to: to.id, max: BETWEEN_CHECKPOINTS_MAX };
    return [problemOf('no-checkpoint', at(artifact, tooMany), values)];
  });
}

/** Where most messages have the form `type(scope): subject`, one without it was not meant so. */
function commitForms(artifact: ArtifactText, { tasks }: Plan): readonly ArtifactProblem[] {
  const messages = tasks.flatMap((task) => (task.commit === null ? [] : [{ task, subject: task.commit }]));
  const odd = messages.filter(({ subject }) => !CONVENTIONAL.test(subject));
  if (odd.length * 2 >= messages.length) return [];
  return odd
    .filter(({ task }) => !task.checked)
    .map(({ task, subject }) => problemOf('commit-form', at(artifact, task), { id: task.id, subject }, task.id));
}

function otherSpecs(artifact: ArtifactText, task: Task, { path }: CheckedSpec): readonly ArtifactProblem[] {
  const root = path.slice(0, path.lastIndexOf('/') + 1);
  const other = task.files.find(
    (file) =>
      root !== '' &&
      file.startsWith(root) &&
      !file.startsWith(`${path}/`) &&
      /^[a-z0-9-]+\//.test(file.slice(root.length)),
  );
  return other === undefined
    ? []
    : [problemOf('files-of-other-spec', at(artifact, task), { id: task.id, path: other })];
}

function outOfScope(artifact: ArtifactText, task: Task, spec: CheckedSpec): readonly ArtifactProblem[] {
  const paths = task.files.filter((file) => isOutOfScope(file, spec));
  return paths.map((path) => problemOf('out-of-scope', at(artifact, task), { path }, `${path} (${task.id})`));
}

function order(artifact: ArtifactText, { tasks }: Plan): readonly ArtifactProblem[] {
  const green = tasks.filter(
    (task, index) =>
      !task.checked &&
      task.markers.includes('GREEN') &&
      !tasks.slice(0, index).some(({ markers, phase }) => markers.includes('RED') && phase === task.phase),
  );
  const ends = tasks.filter(isEndToEnd);
  const start = ends.find(({ title }) => /\b(?:start|launch|boot|spin up)/i.test(title));
  const cleansUp = ends.some(({ title }) => /\b(?:clean|stop|tear|shut|kill)/i.test(title));
  const first = tasks.findIndex(({ phase }) => isLifecyclePhase(phase));
  const late = first < 0 ? [] : tasks.slice(first).filter(({ phase, checked }) => !checked && !isLifecyclePhase(phase));
  return [
    ...green.map((task) => problemOf('test-first-order', at(artifact, task), { id: task.id }, task.id)),
    ...(start === undefined || cleansUp ? [] : [problemOf('no-clean-up', at(artifact, start), { id: start.id })]),
    ...late.map((task) => problemOf('pull-request-not-last', at(artifact, task), { id: task.id }, task.id)),
  ];
}

function referenceProblems(
  artifact: ArtifactText,
  plan: Plan,
  { requirements }: CheckedSpec,
): readonly ArtifactProblem[] {
  if (requirements === undefined || requirements.defined.size === 0) return [];
  const tasks = idsOfTasks(plan, artifact, requirements);
  const kinds = new Set([...requirements.defined.keys()].map(kindOf));
  return [
    ...tasks.flatMap(({ task, unknown }) =>
      unknown
        .filter((id) => kinds.has(kindOf(id)))
        .map((id) =>
          problemOf('reference-undefined', at(artifact, task), { id: task.id, reference: id }, `${id} (${task.id})`),
        ),
    ),
    ...tasks
      .filter(({ task, ids, unknown }) => !task.checked && doesWork(task) && namesNothing(task, ids, unknown))
      .map(({ task }) => problemOf('no-reference', at(artifact, task), { id: task.id }, task.id)),
    ...uncovered(tasks, requirements),
  ];
}

function namesNothing(task: Task, ids: readonly string[], unknown: readonly string[]): boolean {
  if (task.fixes !== undefined || isLifecyclePhase(task.phase) || isEndToEnd(task)) return false;
  return ids.length + unknown.length + task.requirements.length === 0;
}

function uncovered(tasks: readonly TaskIds[], requirements: Requirements): readonly ArtifactProblem[] {
  const byId = indexTasks(tasks);
  return activeIds(requirements)
    .filter(({ kind }) => kind !== 'US')
    .filter((found) => !isCovered(found, byId, requirements))
    .map(({ id, line, column }) =>
      problemOf('not-in-tasks', { artifact: requirements.artifact, line, column }, { id }, id),
    );
}

/** Files of the design that no task names, be it by a glob or a folder. */
function designProblems(plan: Plan, { artifacts, aliases }: CheckedSpec): readonly ArtifactProblem[] {
  const design = artifacts.get('design');
  if (design === undefined) return [];
  const files = plan.tasks.flatMap((task) => task.files);
  return designFiles(design, aliases)
    .filter(({ path }) => !plan.text.includes(path) && !files.some((file) => takesIn(file, path)))
    .map(({ path, line, column }) => problemOf('file-in-no-task', { artifact: design, line, column }, { path }, path));
}

function takesIn(file: string, path: string): boolean {
  const fixed = file.split(/[*?[{]/, 1)[0] ?? '';
  if (fixed !== file || file.endsWith('/')) return fixed === '' || path.startsWith(fixed) || path.includes(`/${fixed}`);
  return path.endsWith(`/${file}`) || file.endsWith(`/${path}`);
}
