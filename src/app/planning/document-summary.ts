import type { Drafted } from '../../core/plan/data/step.ts';
import { problemCounts, problemLine } from '../../core/planning/draft-problem.ts';
import { FILE_OF } from '../../core/planning/steps.ts';
import { scopeText, shownScope } from '../../core/progress/scope.ts';
import { documentCounts } from '../../core/view/document-counts.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { checkDocument } from './check-document.ts';
import { documentsIn } from './documents.ts';
import { hashOf, readDocument } from './read-document.ts';

const LISTED_MAX = 20;

/** A document in numbers, and what the checks find in it now, a line each (R-GATE-1). */
export async function documentSummary(place: SpecPlace, host: Host, artifact: Drafted): Promise<readonly string[]> {
  const document = readDocument(place.spec, artifact);
  const { choices, progress } = await documentsIn(place, host);
  const problems = await checkDocument(place, host, { artifact, choices });
  const counts =
    document.is === 'text' ? [documentCounts(artifact, document.text, place.loaded.settings.headings ?? {})] : [];
  const found = problemCounts(problems);
  const isResearch = artifact === 'research' && document.is === 'text';
  const scope = isResearch ? shownScope(progress, document.text, hashOf) : undefined;
  const shown = problems.slice(0, LISTED_MAX).map((problem) => `  ${problemLine(problem)}`);
  return [
    `${place.spec.path}/${FILE_OF[artifact]}: ${[...counts, found === '' ? 'no problem found' : found].join('; ')}`,
    ...shown,
    ...(scope === undefined ? [] : scopeText(scope)),
  ];
}
