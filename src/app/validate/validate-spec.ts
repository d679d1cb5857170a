import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { listSpecs, missingPlan } from '../../adapters/store/spec-folder.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import type { ArtifactName, ArtifactText } from '../../core/artifact/artifact-text.ts';
import { checkSpec, factsAsked } from '../../core/artifact/check-spec.ts';
import type { CheckedSpec } from '../../core/artifact/checked-spec.ts';
import { type ArtifactProblem, inProblemOrder } from '../../core/artifact/problem.ts';
import { PLAN_PROBLEM_KINDS } from '../../core/artifact/problem-kinds.ts';
import { readRequirements } from '../../core/artifact/requirements.ts';
import type { Problem } from '../../core/plan/data/task.ts';
import { scopeBounds } from '../../core/progress/scope-bounds.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import { findPlace, type Place } from '../place.ts';
import { noTask, type PlanFile, planInPlace } from '../spec/plan-file.ts';
import { readArtifacts } from '../spec/read-artifacts.ts';
import { type OpenChecklist, openChecklists } from './open-checklists.ts';
import { surroundingOf } from './surrounding.ts';
import { syntaxProblems } from './syntax-problems.ts';

/** What the checks of a whole spec found. */
export interface ValidatedSpec {
  readonly spec: string;
  /** Those that are there, in the order they are made. */
  readonly artifacts: readonly ArtifactText[];
  /** Absent while the plan is not written. */
  readonly plan?: PlanFile;
  readonly problems: readonly ArtifactProblem[];
}

/**
 * Checks all artifacts of a spec (R-PLAN-5). Changes nothing, and runs nothing of the repository. Throws `UserError` for a
 * spec without any, and for a plan without a task (R-PARSE-6).
 */
export async function validateSpec(
  place: Place & { readonly spec: SpecFolder },
  host: Pick<Host, 'env'>,
): Promise<ValidatedSpec> {
  const { spec } = place;
  const { artifacts, unreadable } = readArtifacts(spec);
  const missing = await missingPlan(spec);
  if (missing !== undefined && artifacts.size + unreadable.length === 0)
    throw new UserError(missing.message, missing.hint);
  const plan = existsSync(join(spec.dir, spec.format.file)) ? await planInPlace(place) : undefined;
  if (plan?.plan.tasks.length === 0) throw noTask(plan);
  const ofPlan = plan === undefined ? [] : planProblems(plan);
  // The documents of other tools have forms of their own, which these tools check.
  const isOwn = spec.format.dialect === 'ralph-specum';
  const ofDocuments = isOwn
    ? checkSpec(await checkedSpec(place, host, { artifacts, plan }))
    : openChecklists(spec).map(checklistProblem);
  return {
    spec: spec.name,
    artifacts: [...artifacts.values()],
    ...(plan === undefined ? {} : { plan }),
    problems: inProblemOrder([...(isOwn ? unreadable : []), ...ofDocuments, ...ofPlan]),
  };
}

function checklistProblem({ path, line, open }: OpenChecklist): ArtifactProblem {
  return {
    ...{ severity: 'warning', code: 'open-checklist', artifact: 'tasks', file: path, line, column: 1 },
    message: `The checklist has ${open === 1 ? 'an open box' : `${open} open boxes`} about the text of the spec.`,
    hint: 'Tick what holds; a run neither waits for them nor ticks them.',
  };
}

/** What the reader of a plan reports, and what bash cannot read in it (R-PARSE-4, R-PARSE-5). */
export function planProblems({ path, format, plan }: PlanFile): readonly ArtifactProblem[] {
  const problems: readonly Problem[] = [...format.describe(plan), ...syntaxProblems(plan)];
  return problems.map((problem) => ({
    ...problem,
    severity: PLAN_PROBLEM_KINDS[problem.code]?.severity ?? problem.severity,
    artifact: 'tasks',
    file: path,
  }));
}

/** The name of the spec in whose folder a file lies. Throws `UserError` if that is no spec's folder. */
export async function specWithFile(host: Host, file: string): Promise<string> {
  const path = resolve(host.cwd, file);
  if (!existsSync(path))
    throw new UserError(`There is no file "${file}".`, 'Name a spec, or the path of a file of one.');
  const folder = realpathSync(dirname(path));
  const specs = await listSpecs((await findPlace(host)).roots);
  const name = specs.find(({ dir, isSingleFile }) => dir === folder && !isSingleFile)?.name;
  if (name !== undefined) return name;
  throw new UserError(
    `${file} is in no folder of a spec.`,
    "Only in a spec can it be checked; name its folder's parent in the setting specsDirs.",
  );
}

/** A spec with these documents as its checks see it, with what they have to know of its surroundings. */
export async function checkedSpec(
  place: Place & { readonly spec: SpecFolder },
  host: Pick<Host, 'env'>,
  {
    artifacts,
    plan,
  }: { readonly artifacts: ReadonlyMap<ArtifactName, ArtifactText>; readonly plan: PlanFile | undefined },
): Promise<CheckedSpec> {
  const { name, path, dir, progressFile } = place.spec;
  const aliases = place.loaded.settings.headings ?? {};
  const requirements = artifacts.get('requirements');
  const bounds = scopeBounds(
    (await specFiles(dir)
      .read(progressFile)
      .catch(() => undefined)) ?? '',
  );
  return {
    name,
    path,
    artifacts,
    aliases,
    around: await surroundingOf(place, host, factsAsked(artifacts, aliases)),
    ...(requirements === undefined ? {} : { requirements: readRequirements(requirements) }),
    ...(plan === undefined ? {} : { plan: plan.plan }),
    ...(bounds === undefined ? {} : { bounds }),
  };
}
