import { type ArtifactText, readArtifact } from '../../core/artifact/artifact-text.ts';
import { checkSpec } from '../../core/artifact/check-spec.ts';
import { designFiles } from '../../core/artifact/design-files.ts';
import { type ArtifactProblem, inProblemOrder } from '../../core/artifact/problem.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { checkPlanDraft } from '../../core/planning/check-plan-draft.ts';
import { checkScopeDraft } from '../../core/planning/check-scope-draft.ts';
import type { PlanningChoices } from '../../core/planning/choices.ts';
import type { DraftProblem } from '../../core/planning/draft-problem.ts';
import { documentsBefore, FILE_OF } from '../../core/planning/steps.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { checkedSpec, planProblems } from '../validate/validate-spec.ts';
import { progressText } from './progress-text.ts';
import { hashOf, readDocument } from './read-document.ts';

/** What a document is checked with. */
export interface DocumentCheck {
  readonly artifact: Drafted;
  readonly choices: PlanningChoices;
  /** The command that shows the defect of a bug fix (R-BUG-1). */
  readonly reproduction?: string | undefined;
  /** The plan as the last commit has it; absent for none. */
  readonly planBefore?: string | undefined;
}

/** What is wrong with one document of a spec: what the documents before it did not bring about (R-PLAN-5). */
export async function checkDocument(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  { artifact, choices, planBefore, reproduction }: DocumentCheck,
): Promise<readonly DraftProblem[]> {
  const { spec } = place;
  const file = `${spec.path}/${FILE_OF[artifact]}`;
  const document = readDocument(spec, artifact);
  if (document.is !== 'text') return [whatIsMissing(file, document)];
  const before = textsOf(place, documentsBefore(artifact));
  const own = readArtifact(artifact, file, document.text);
  const known = new Set((await problemsIn(place, host, before)).map(textOf));
  const found = (await problemsIn(place, host, [...before, own])).filter((problem) => !known.has(textOf(problem)));
  if (artifact === 'research')
    return [
      ...found.map(asDraftProblem),
      ...checkScopeDraft({ file, text: document.text, progress: progressText(place) }, hashOf),
    ];
  if (artifact !== 'tasks') return found.map(asDraftProblem);
  const { format } = spec;
  const reading = format.read(document.text);
  if (!reading.ok) return [{ ...at(file), code: 'plan-unreadable', ...reading.problem }];
  const plan = reading.plan;
  const ofPlan = planProblems({ path: file, operand: spec.name, format, plan });
  const design = before.find(({ name }) => name === 'design');
  const aliases = place.loaded.settings.headings ?? {};
  return [
    ...inProblemOrder([...found, ...ofPlan]).map(asDraftProblem),
    ...checkPlanDraft({
      file,
      plan,
      choices,
      reproduction,
      before: planBefore === undefined ? undefined : format.parse(planBefore),
      designFiles: design === undefined ? undefined : designFiles(design, aliases).length,
    }),
  ];
}

const at = (file: string) => ({ severity: 'error', file, line: 1 }) as const;

/** What keeps a document from being read, as a problem of the file at this path. */
export function whatIsMissing(
  file: string,
  found: { readonly is: 'missing' } | { readonly is: 'unreadable'; readonly why: string },
): DraftProblem {
  return found.is === 'missing'
    ? { ...at(file), code: 'draft-missing', message: 'The document is missing.', hint: 'Write it to this path.' }
    : {
        ...at(file),
        code: 'draft-unreadable',
        message: `The document ${found.why}.`,
        hint: 'Write it as plain UTF-8 text of a size that people read.',
      };
}

/** Those of these documents that are there and can be read. */
function textsOf({ spec }: SpecPlace, names: readonly Drafted[]): readonly ArtifactText[] {
  return names.flatMap((name) => {
    const document = readDocument(spec, name);
    return document.is === 'text' ? [readArtifact(name, `${spec.path}/${FILE_OF[name]}`, document.text)] : [];
  });
}

async function problemsIn(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  documents: readonly ArtifactText[],
): Promise<readonly ArtifactProblem[]> {
  const artifacts = new Map(documents.map((document) => [document.name, document]));
  const tasks = artifacts.get('tasks');
  const { format } = place.spec;
  const plan =
    tasks === undefined
      ? undefined
      : { path: tasks.file, operand: place.spec.name, format, plan: format.parse(tasks.text) };
  return checkSpec(await checkedSpec(place, host, { artifacts, plan }));
}

function textOf({ file, line, column, code, message }: ArtifactProblem): string {
  return [file, line, column, code, message].join('\n');
}

function asDraftProblem({ severity, code, file, line, message, hint }: ArtifactProblem): DraftProblem {
  return { severity, code, file, line, message, hint };
}
