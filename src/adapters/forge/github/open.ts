import type { NewPullRequest, PullRequest } from '../../../core/pull-request/seen.ts';
import { ForgeFault } from '../../../ports/forge.ts';
import { anyAnswer, ofBranchAnswer, openedAnswer } from './answers.ts';
import type { RestRequest } from './gh.ts';
import { factsAt, pullRequestOf } from './look.ts';
import { OF_BRANCH } from './queries.ts';
import { pathOf, type Reader } from './reader.ts';

/** The open pull request from this branch, or else the newest that has ended; those from forks do not count. */
export async function findPullRequest({ gh, repository }: Reader, branch: string): Promise<PullRequest | undefined> {
  const answer = await gh.graphQl(OF_BRANCH, { ...repository, branch }, ofBranchAnswer);
  const { open, ended } = answer.repository;
  const found = [...open.nodes, ...ended.nodes].find(({ isCrossRepository }) => !isCrossRepository);
  return found && pullRequestOf(found);
}

/** Opens a pull request, or takes the open one of the branch (R-PR-1). `base` is the branch to merge into. */
export async function openPullRequest(reader: Reader, wanted: NewPullRequest, base: string): Promise<PullRequest> {
  const before = await findOpen(reader, wanted.branch);
  const opened = before ?? (await create(reader, wanted, base));
  // One that says what we were about to write is ours, from a call whose answer was lost.
  if (isOurs(opened, wanted)) await decorate(reader, opened.number, wanted);
  return opened;
}

async function findOpen(reader: Reader, branch: string): Promise<PullRequest | undefined> {
  const found = await findPullRequest(reader, branch);
  return found?.state === 'open' ? found : undefined;
}

async function create(reader: Reader, wanted: NewPullRequest, base: string): Promise<PullRequest> {
  const { branch: head, title, body, isDraft: draft } = wanted;
  const path = `${pathOf(reader)}/pulls`;
  try {
    const { number } = await reader.gh.rest(
      { method: 'POST', path, body: { title, head, base, body, draft } },
      openedAnswer,
    );
    return await factsAt(reader, number);
  } catch (fault) {
    if (!(fault instanceof ForgeFault) || fault.trouble !== 'refused') throw fault;
    const opened = await findOpen(reader, head); // By somebody else, in the meantime.
    if (opened === undefined) throw fault;
    return opened;
  }
}

function isOurs(opened: PullRequest, wanted: NewPullRequest): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trim();
  return opened.title === wanted.title.trim() && plain(opened.body) === plain(wanted.body);
}

/** Adds labels and asks for reviews, each alone: what GitHub does not know is left out. It would make a label that is missing. */
async function decorate(reader: Reader, number: number, { labels, reviewers }: NewPullRequest): Promise<void> {
  const path = pathOf(reader);
  for (const label of labels) {
    if (!(await succeeds(reader, { path: `${path}/labels/${encodeURIComponent(label)}` }))) continue;
    await succeeds(reader, { method: 'POST', path: `${path}/issues/${number}/labels`, body: { labels: [label] } });
  }
  for (const reviewer of reviewers) await askForReview(reader, number, reviewer);
}

/** Asks somebody for a review, or with `org/team` a team; nothing happens where GitHub does not let them review it. */
export async function askForReview(reader: Reader, number: number, reviewer: string): Promise<void> {
  const [name = '', team] = reviewer.split('/');
  const body = team === undefined ? { reviewers: [name] } : { team_reviewers: [team] };
  await succeeds(reader, { method: 'POST', path: `${pathOf(reader)}/pulls/${number}/requested_reviewers`, body });
}

/** Whether GitHub did it; `false` if it is not there or not possible. Throws for what may succeed later. */
export async function succeeds({ gh }: Reader, request: RestRequest): Promise<boolean> {
  try {
    await gh.rest(request, anyAnswer);
    return true;
  } catch (fault) {
    if (!(fault instanceof ForgeFault) || !IMPOSSIBLE.has(fault.trouble)) throw fault;
    return false;
  }
}

const IMPOSSIBLE: ReadonlySet<string> = new Set(['gone', 'refused', 'denied']);
