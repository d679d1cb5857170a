import { readArtifact } from '../../core/artifact/artifact-text.ts';
import { designFiles } from '../../core/artifact/design-files.ts';
import type { DraftMaterial } from '../../core/brief/draft-brief.ts';
import type { Drafted, DraftStep } from '../../core/plan/data/step.ts';
import { approvalsIn, shortHashOf, withoutApprovals } from '../../core/planning/approvals.ts';
import { approvedThrough, withApprovedThrough } from '../../core/planning/approved-through.ts';
import type { PlanningChoices } from '../../core/planning/choices.ts';
import { decisionsIn } from '../../core/planning/decisions.ts';
import { problemLine } from '../../core/planning/draft-problem.ts';
import { markedGenerated } from '../../core/planning/marked-generated.ts';
import { rejectionsIn, withoutRejections } from '../../core/planning/rejections.ts';
import { rulesFor } from '../../core/planning/rules.ts';
import { documentsBefore, FILE_OF } from '../../core/planning/steps.ts';
import {
  isPersonsScope,
  type ShownScope,
  scopeLines,
  shownScope,
  withDraftedScope,
} from '../../core/progress/scope.ts';
import { researchPart } from '../../core/spec-files.ts';
import { tasksToProbe } from '../../core/verify/probe.ts';
import type { Drafting, DraftProbe } from '../../ports/drafting.ts';
import type { SpecFiles } from '../../ports/store.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { checkDocument, type DocumentCheck } from './check-document.ts';
import { checkPart, mergeProblems } from './check-part.ts';
import { committedPlan } from './committed-plan.ts';
import { documentsIn } from './documents.ts';
import { factsOf } from './facts.ts';
import { forgetSpec } from './forget-spec.ts';
import { progressText } from './progress-text.ts';
import { hashesOf, hashOf, readDocument, researchAdvisesAgainst } from './read-document.ts';

/** What a run of planning is bound to, in addition to its spec. */
interface DraftingOf {
  readonly goal: string;
  readonly choices: PlanningChoices;
  readonly files: SpecFiles;
  /** The command that shows the defect of a bug fix. */
  readonly reproduction?: string | undefined;
  /** Which commands of a drafted plan a person has not trusted; absent where none is to be tried. */
  readonly untrusted?: ((commands: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
}

/** Checks drafts and gathers what their authors are told, for the documents of one spec (R-PLAN-2, R-PLAN-5). */
export function draftingFor(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  { goal, choices, files, reproduction, untrusted }: DraftingOf,
): Drafting {
  const { spec } = place;
  return {
    check: async (step, dir) => {
      const { artifact, topic } = step;
      if (topic !== undefined) return checkPart({ ...spec, dir }, step);
      const document = readDocument(spec, artifact);
      const planBefore = artifact === 'tasks' ? await committedPlan(place, host) : undefined;
      return {
        problems: [
          ...(await checkDocument(place, host, { artifact, choices, planBefore, reproduction })),
          ...mergeProblems(spec, step),
        ],
        inputs: hashesOf(spec, documentsBefore(artifact)),
        ...(document.is === 'text' && { sha256: document.sha256 }),
        ...(artifact === 'research' && researchAdvisesAgainst(spec) && { advisesAgainst: true }),
        ...scopeOf(place, artifact),
        ...(artifact === 'tasks' &&
          untrusted &&
          document.is === 'text' &&
          (await probeOf(place, document.text, untrusted))),
      };
    },
    mark: async ({ file }) => {
      const text = await files.read(file);
      const marked = text === undefined ? undefined : markedGenerated(text);
      if (marked !== undefined && marked !== text) await files.write(file, marked);
    },
    noted: async ({ artifact, topic }, progress) => {
      if (topic !== undefined) return progress;
      const document = artifact === 'research' ? readDocument(spec, artifact) : undefined;
      const scoped = document?.is === 'text' ? withDraftedScope(progress, document.text, hashOf) : progress;
      return await undecided(place, host, { artifact, progress: scoped });
    },
    forget: async (before) => await forgetSpec(place, before),
    material: async ({ artifact, topic, parts = [] }: DraftStep): Promise<DraftMaterial> => ({
      goal,
      ...notedIn(artifact, (await files.read(spec.progressFile).catch(() => undefined)) ?? ''),
      facts: await factsOf(place, host),
      inputs: documentsBefore(artifact).flatMap((name) => {
        const document = readDocument(spec, name);
        return document.is === 'text' ? [draftInput(FILE_OF[name], document)] : [];
      }),
      rules: rulesFor(artifact, choices, { designFiles: filesInDesign(place), reproduction }),
      problems: topic === undefined ? await problemsThere(place, host, { artifact, choices, reproduction }) : [],
      parts: parts.map((name) => {
        const part = readDocument(spec, artifact, researchPart(name));
        return { topic: name, ...(part.is === 'text' && { part: draftInput(researchPart(name), part) }) };
      }),
    }),
  };
}

/** The progress file without what a person decided about a document: it is a new draft. */
async function undecided(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  { artifact, progress }: { readonly artifact: Drafted; readonly progress: string },
): Promise<string> {
  const text = withoutRejections(withoutApprovals(progress, [artifact]), [artifact]);
  if (!approvalsIn(progress).has(artifact)) return text;
  const { needed, documents } = await documentsIn(place, host);
  const left = documents.filter((one) => one.state === 'approved' && one.artifact !== artifact);
  return withApprovedThrough(
    text,
    approvedThrough(
      needed,
      left.map((one) => one.artifact),
    ),
  );
}

/** What the progress file says to the author of a document. */
function notedIn(
  artifact: Drafted,
  progress: string,
): Pick<DraftMaterial, 'decisions' | 'assumed' | 'scope' | 'feedback'> {
  const { byPersons, assumed } = decisionsIn(progress);
  const rejection = rejectionsIn(progress).get(artifact);
  // Research drafts the scope, unless a person wrote it.
  const isDrafted = artifact === 'research' && !isPersonsScope(progress, hashOf);
  return {
    decisions: byPersons,
    assumed,
    scope: isDrafted ? [] : scopeLines(progress),
    ...(rejection && { feedback: rejection.feedback }),
  };
}

/** The scope that research comes to, as people are shown it. */
function scopeOf(place: SpecPlace, artifact: Drafted): { readonly scope?: ShownScope } {
  const document = artifact === 'research' ? readDocument(place.spec, artifact) : undefined;
  const scope = document?.is === 'text' ? shownScope(progressText(place), document.text, hashOf) : undefined;
  return scope === undefined ? {} : { scope };
}

/** What of a drafted plan is tried; nothing of one that cannot be read (R-PROBE-1). */
async function probeOf(
  { spec }: SpecPlace,
  text: string,
  untrusted: NonNullable<DraftingOf['untrusted']>,
): Promise<{ readonly probe?: DraftProbe }> {
  const reading = spec.format.read(text);
  if (!reading.ok) return {};
  const { tasks } = reading.plan;
  const open = tasksToProbe(tasks);
  const isHidden = await untrusted(open.flatMap(({ verifyCommand }) => verifyCommand ?? []));
  const trusted = open.filter(({ verifyCommand }) => !isHidden.has(verifyCommand ?? ''));
  return { probe: { file: `${spec.path}/${FILE_OF.tasks}`, tasks, trusted, untrusted: isHidden.size } };
}

function draftInput(
  file: string,
  { sha256, text }: { readonly sha256: string; readonly text: string },
): DraftMaterial['inputs'][number] {
  return { file, hash: shortHashOf(sha256), text };
}

/** What the checks find in a document that is there already. */
async function problemsThere(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  check: Omit<DocumentCheck, 'planBefore'>,
): Promise<readonly string[]> {
  if (readDocument(place.spec, check.artifact).is === 'missing') return [];
  return (await checkDocument(place, host, check)).filter(({ severity }) => severity !== 'warning').map(problemLine);
}

/** How many files the design lists; `undefined` without a design. */
function filesInDesign({ spec, loaded }: SpecPlace): number | undefined {
  const name: Drafted = 'design';
  const design = readDocument(spec, name);
  if (design.is !== 'text') return undefined;
  return designFiles(readArtifact(name, FILE_OF[name], design.text), loaded.settings.headings ?? {}).length;
}
