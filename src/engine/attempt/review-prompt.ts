import { buildBrief } from '../../core/brief/brief.ts';
import { draftReviewBrief } from '../../core/brief/draft-review.ts';
import { seenFrom } from '../../core/plan/data/workdir.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/data/state.ts';
import { isBookkeeping, stateFileOf } from '../../core/spec-files.ts';
import { readIfText } from '../lane/read-if-text.ts';
import type { World } from '../lane/world.ts';
import { contextPaths, documentAtStart, documentsIn, type WithRecords } from './documents.ts';
import { draftingOf } from './drafting-of.ts';

/** The part of a prompt that the diff may take up. */
const DIFF_SHARE = 1 / 3;

/** What the prompt of a review is read from. */
type ReviewedPlace = Pick<
  World,
  'spec' | 'plan' | 'files' | 'workdir' | 'lane' | 'git' | 'tree' | 'promptBytesMax' | 'drafting'
> &
  WithRecords;

/** The prompt of a review: `place` is where the work is, `world` the user's tree (R-VER-7). Reads, and changes nothing. */
export async function reviewPrompt(
  { task: key, round }: { readonly task: string; readonly round: number },
  state: RunState,
  { world, place }: { readonly world: ReviewedPlace; readonly place: ReviewedPlace },
): Promise<string> {
  if (taskOf(state, key).step !== undefined) return await draftReviewPrompt({ task: key, round }, state, place);
  const { spec, plan } = place;
  const progress = progressOf(state, key);
  const concerns = 'verdict' in progress ? progress.verdict.concerns : [];
  const neighbours = recordedNeighbours(state, key);
  const own = await changeIn(place, state.foreign, progress.start);
  // A batch is reviewed as one: what its other members brought is in the user's tree (R-PAR-7).
  const others =
    neighbours.length === 0 || world.lane.kind !== 'worktree'
      ? nothing
      : await changeIn(world, state.foreign, progress.start);
  const task = plan.task(key);
  const first = neighbours.length === 0 ? task : plan.task(state.batch?.members[0] ?? neighbours[0] ?? key);
  return buildBrief({
    role: 'reviewer',
    spec: {
      name: spec.name,
      path: seenFrom(world.workdir, spec.path),
      planFile: spec.format.file,
      progressFile: spec.progressFile,
      stateFile: stateFileOf(spec),
      ...(spec.isSingleFile && { isSingleFile: true }),
      documents: await documentsIn(place),
      context: contextPaths(place),
    },
    workdir: world.workdir,
    task: first,
    attempt: round,
    bytesMax: world.promptBytesMax,
    review: {
      round,
      blocks: [...neighbours.map((other) => plan.task(other).block), task.block],
      changedFiles: [...new Set([...others.files, ...own.files])],
      diff: `${others.diff}${own.diff}`,
      requirements: await documentAtStart(state, place, { key, name: spec.format.documents.requirements }),
      design: await documentAtStart(state, place, { key, name: spec.format.documents.design }),
      earlierFindings: [...progress.review.findings, ...concerns],
      doubts: 'answer' in progress ? (progress.answer?.doubts ?? []) : [],
    },
  });
}

/** The prompt of a review of a draft, which is judged as a whole and not by what changed (R-PLAN-2). */
async function draftReviewPrompt(
  { task: key, round }: { readonly task: string; readonly round: number },
  state: RunState,
  place: ReviewedPlace,
): Promise<string> {
  const { step, drafting } = draftingOf(state, key, place);
  const { spec, workdir, promptBytesMax, files } = place;
  const { review, failures } = progressOf(state, key);
  const sentBack = failures.filter(({ failure }) => failure.layer === 'review').map(({ failure }) => failure.text);
  return draftReviewBrief({
    step,
    spec: { name: spec.name, path: seenFrom(workdir, spec.path) },
    round,
    bytesMax: promptBytesMax,
    material: await drafting.material(step),
    text: (await readIfText(files, step.file)) ?? '',
    earlierFindings: [...sentBack, ...review.findings],
  });
}

interface ChangeUnderReview {
  readonly files: readonly string[];
  readonly diff: string;
}

const nothing: ChangeUnderReview = { files: [], diff: '' };

async function changeIn(place: ReviewedPlace, foreign: readonly string[], since: string): Promise<ChangeUnderReview> {
  const { git, tree } = place;
  const all = await git.changedSince(tree, since);
  const files = all.filter((path) => !isBookkeeping(path, place.spec) && !foreign.includes(path));
  const diff =
    files.length === 0
      ? ''
      : await git.diffSince(tree, since, { bytesMax: Math.floor(place.promptBytesMax * DIFF_SHARE), paths: files });
  return { files, diff };
}

/** Members of its batch that are recorded, also of one that is over and whose review is still to be made up for. */
function recordedNeighbours({ batch, tasks, owedReviews }: RunState, key: string): readonly string[] {
  const owed = owedReviews.get(key) ?? [];
  if (!batch?.members.includes(key)) return owed;
  return [...owed, ...batch.members.filter((member) => tasks.some((task) => task.key === member && task.checked))];
}
