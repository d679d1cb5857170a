import { leadsOutside } from '../plan/outside-paths.ts';
import type { ArtifactText } from './artifact-text.ts';
import { undefinedIds } from './check-requirements.ts';
import { missingSections } from './check-sections.ts';
import { type CheckedSpec, isNotBegun, isOutOfScope } from './checked-spec.ts';
import { type DesignFile, designFiles } from './design-files.ts';
import { expand } from './expand.ts';
import { readIds } from './ids.ts';
import { type ArtifactProblem, problemOf } from './problem.ts';
import { activeIds, isPressing, priorityOf, type Requirements } from './requirements.ts';

/** What is wrong with a design (R-PLAN-5). */
export function checkDesign(artifact: ArtifactText, spec: CheckedSpec): readonly ArtifactProblem[] {
  const { requirements, aliases } = spec;
  const files = designFiles(artifact, aliases);
  return [
    ...missingSections(artifact, aliases),
    ...(requirements === undefined ? [] : idProblems(artifact, requirements)),
    ...files.flatMap((file) => fileProblems(artifact, file, spec)),
  ];
}

function idProblems(artifact: ArtifactText, requirements: Requirements): readonly ArtifactProblem[] {
  const { leading, mentions } = readIds(artifact);
  const named = [...leading, ...mentions].sort((left, right) => left.line - right.line || left.column - right.column);
  const known = new Set(named.flatMap((mention) => expand(mention, requirements.index).ids));
  const missing = activeIds(requirements).filter((found) => {
    if (found.kind !== 'FR' || known.has(found.id) || !isPressing(priorityOf(found))) return false;
    const criteria = requirements.criteria.get(found.id) ?? [];
    return criteria.length === 0 || !criteria.every((id) => known.has(id));
  });
  return [
    ...undefinedIds(artifact, named, requirements),
    ...missing.map((found) => {
      const { id, line, column } = found;
      const place = { artifact: requirements.artifact, line, column };
      return problemOf('not-in-design', place, { id, priority: priorityOf(found) ?? '' }, id);
    }),
  ];
}

function fileProblems(
  artifact: ArtifactText,
  { path, line, column, action }: DesignFile,
  spec: CheckedSpec,
): readonly ArtifactProblem[] {
  const place = { artifact, line, column };
  if (leadsOutside(path)) return [problemOf('path-outside', place, { path })];
  const { existing, ignored } = spec.around;
  const anyway = [
    ...(ignored.has(path) ? [problemOf('path-ignored', place, { path }, path)] : []),
    ...(isOutOfScope(path, spec) ? [problemOf('out-of-scope', place, { path }, path)] : []),
  ];
  if (!isNotBegun(spec)) return anyway;
  if (action === 'modify' && !existing.has(path))
    return [...anyway, problemOf('modifies-missing', place, { path }, path)];
  if (action === 'create' && existing.has(path))
    return [...anyway, problemOf('creates-existing', place, { path }, path)];
  return anyway;
}
