import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import type { DraftStep, Topic } from '../../core/plan/data/step.ts';
import type { DraftProblem } from '../../core/planning/draft-problem.ts';
import { checkMerge } from '../../core/planning/topics.ts';
import { researchPart } from '../../core/spec-files.ts';
import type { CheckedDraft } from '../../ports/drafting.ts';
import { whatIsMissing } from './check-document.ts';
import { readDocument } from './read-document.ts';

/** Checks a part of research: it has to be there and to be text (R-PLAN-2). */
export function checkPart(spec: Pick<SpecFolder, 'dir' | 'path'>, { artifact, file }: DraftStep): CheckedDraft {
  const part = readDocument(spec, artifact, file);
  const path = `${spec.path}/${file}`;
  if (part.is !== 'text') return { problems: [whatIsMissing(path, part)], inputs: {} };
  const problems = part.text.trim() === '' ? [whatIsMissing(path, { is: 'missing' })] : [];
  return { problems, inputs: {}, sha256: part.sha256 };
}

/** What is wrong with a document as a merge of its parts; nothing for one that is written at once. */
export function mergeProblems(
  spec: Pick<SpecFolder, 'dir' | 'path'>,
  { artifact, file, parts = [] }: DraftStep,
): readonly DraftProblem[] {
  const document = readDocument(spec, artifact, file);
  if (document.is !== 'text') return [];
  return checkMerge({
    file: `${spec.path}/${file}`,
    text: document.text,
    parts,
    there: partsThere(spec, parts),
  });
}

/** The topics whose parts are in the folder of a spec. */
export function partsThere(spec: Pick<SpecFolder, 'dir'>, topics: readonly Topic[]): readonly Topic[] {
  return topics.filter((topic) => readDocument(spec, 'research', researchPart(topic)).is === 'text');
}
