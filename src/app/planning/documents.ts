import { changesOf } from '../../adapters/git/changes-of.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { changedIds } from '../../core/artifact/changed-ids.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { approvalsIn, shortHashOf } from '../../core/planning/approvals.ts';
import { choicesFor, hasChoices, type PlanningChoices, type StatedChoices } from '../../core/planning/choices.ts';
import { type DocumentFacts, type PlannedDocument, plannedDocuments } from '../../core/planning/documents.ts';
import type { Gates } from '../../core/planning/list-steps.ts';
import { rejectionsIn } from '../../core/planning/rejections.ts';
import { DOCUMENTS, documentsBefore, documentsOf, FILE_OF } from '../../core/planning/steps.ts';
import { progressContext } from '../../core/progress/context.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { recordedInputs } from '../../core/run/drafts.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { readableRun } from '../run/runs.ts';
import { contentHash, readDocument, researchAdvisesAgainst } from './read-document.ts';

/** How far back the form of requirements that was approved is looked for. */
const COMMITS_MAX = 50;

/** A document of a spec as people are told of it. */
export interface SpecDocument extends PlannedDocument {
  readonly file: string;
  /** For a stale one, the ids of requirements that changed since it was made or approved. */
  readonly changedIds: readonly string[];
}

/** The documents of a spec, and how it is planned. */
export interface SpecDocuments {
  readonly goal: string;
  readonly choices: PlanningChoices;
  /** Those that a goal of its class needs. */
  readonly needed: readonly Drafted[];
  /** All four, in their order. */
  readonly documents: readonly SpecDocument[];
  /** Text of the progress file; empty without one. */
  readonly progress: string;
  /** Whether specloop plans the spec: its progress file says how, or tells of an approval. */
  readonly isPlanned: boolean;
  /** Where planning stops for a person. */
  readonly gates: Gates;
  /** Its research says that the goal should not be met (R-STOP-1). */
  readonly advisesAgainst: boolean;
}

/** Where each document of a spec is on its way (R-GATE-2, R-GATE-5). Changes nothing, and runs nothing of the repository. */
export async function documentsIn(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  { stated = {}, newGoal }: { readonly stated?: StatedChoices; readonly newGoal?: string | undefined } = {},
): Promise<SpecDocuments> {
  const { spec } = place;
  const progress = (await specFiles(spec.dir).read(spec.progressFile)) ?? '';
  const goal = newGoal ?? progressContext(progress).goal;
  const choices = choicesFor(goal, progress, stated);
  const approvals = approvalsIn(progress);
  const rejections = rejectionsIn(progress);
  const newest = await readableRun(place);
  const facts = await Promise.all(
    DOCUMENTS.map(async (artifact): Promise<DocumentFacts> => {
      const document = readDocument(spec, artifact);
      const sha256 = document.is === 'text' ? document.sha256 : undefined;
      const approval = approvals.get(artifact);
      // What was approved as it is was made from what its approval names.
      const isKnown = sha256 === undefined || approval?.hash === shortHashOf(sha256);
      return {
        artifact,
        sha256,
        approval,
        rejection: rejections.get(artifact),
        madeFrom: isKnown ? undefined : await madeFrom(place, host, { artifact, sha256, newest }),
      };
    }),
  );
  const documents = await Promise.all(
    plannedDocuments(facts).map(async (document): Promise<SpecDocument> => {
      const { artifact, requirementsWere: was } = document;
      return {
        ...document,
        file: FILE_OF[artifact],
        changedIds: was === undefined ? [] : await idsSince(place, host, was),
      };
    }),
  );
  const isPlanned = approvals.size > 0 || rejections.size > 0 || hasChoices(progress);
  return {
    goal,
    choices,
    needed: documentsOf(choices.goalClass, choices.skipped),
    documents,
    progress,
    isPlanned,
    gates: place.loaded.settings.gates,
    advisesAgainst: researchAdvisesAgainst(spec),
  };
}

/**
 * The documents before one, by the hashes that they had when the newest run recorded it, else in the commit that gave it its
 * content; none for one with uncommitted changes, which is being made from what is there now.
 */
async function madeFrom(
  { repository: { root }, spec }: SpecPlace,
  { env }: Pick<Host, 'env'>,
  {
    artifact,
    sha256,
    newest,
  }: { readonly artifact: Drafted; readonly sha256: string; readonly newest: RunState | undefined },
): Promise<Readonly<Partial<Record<Drafted, string>>>> {
  const recorded = newest && recordedInputs(newest, { artifact, sha256 });
  if (recorded !== undefined) return recorded;
  const git = gitCli({ root, env });
  const hashAt = async (name: Drafted, commit: string): Promise<string | undefined> => {
    const text = await git.fileAt({ dir: root }, commit, pathOf(spec, name));
    return text === undefined ? undefined : contentHash(name, text);
  };
  let made: string | undefined;
  for (const commit of await changesOf({ root, env }, pathOf(spec, artifact), COMMITS_MAX)) {
    if ((await hashAt(artifact, commit)) !== sha256) break;
    made = commit;
  }
  if (made === undefined) return {};
  const at = made;
  const hashes = await Promise.all(
    documentsBefore(artifact).map(async (name) => [name, await hashAt(name, at)] as const),
  );
  return Object.fromEntries(hashes.filter(([, hash]) => hash !== undefined));
}

/** The ids whose text changed since the requirements had this hash; none where no commit has them so. */
async function idsSince(
  { repository: { root }, spec }: SpecPlace,
  { env }: Pick<Host, 'env'>,
  was: string,
): Promise<readonly string[]> {
  const now = readDocument(spec, 'requirements');
  if (now.is !== 'text') return [];
  const git = gitCli({ root, env });
  for (const commit of await changesOf({ root, env }, pathOf(spec, 'requirements'), COMMITS_MAX)) {
    const text = await git.fileAt({ dir: root }, commit, pathOf(spec, 'requirements'));
    if (text !== undefined && shortHashOf(contentHash('requirements', text)) === was) return changedIds(text, now.text);
  }
  return [];
}

function pathOf({ path }: Pick<SpecPlace['spec'], 'path'>, artifact: Drafted): string {
  return `${path}/${FILE_OF[artifact]}`;
}
