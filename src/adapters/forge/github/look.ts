import type { Check, Comment, PullRequest, Seen, Thread } from '../../../core/pull-request/seen.ts';
import { answers } from '../marks.ts';
import {
  type CommentFacts,
  checksAnswer,
  discussionAnswer,
  type PullRequestFacts,
  type ReviewFacts,
  type ThreadComments,
  type ThreadFacts,
  threadAnswer,
} from './answers.ts';
import { checksOf } from './checks.ts';
import type { QueryVariables } from './gh.ts';
import { everyPage } from './pages.ts';
import { CHECKS, DISCUSSION, THREAD } from './queries.ts';
import type { Reader } from './reader.ts';
import { requiredContexts } from './required.ts';

const BODY_CHARS_MAX = 8_000;
const HUNK_CHARS_MAX = 3_000;

interface Discussion {
  readonly facts: PullRequestFacts;
  readonly threads: readonly ThreadFacts[];
  readonly reviews: readonly ReviewFacts[];
  readonly comments: readonly CommentFacts[];
}

/** A pull request as `Forge.look` tells it. */
export async function lookAt(reader: Reader, number: number): Promise<Seen> {
  const { facts, threads, reviews, comments } = await discussion(reader, number);
  const asking = reviews.filter(({ state }) => state === 'CHANGES_REQUESTED');
  const ours = comments.filter(({ viewerDidAuthor }) => viewerDidAuthor);
  return {
    pullRequest: pullRequestOf(facts),
    checks: await checksAt(reader, facts),
    threads: await inTurn(
      threads.filter(({ isResolved }) => !isResolved),
      (thread) => threadOf(reader, thread),
    ),
    changesRequested: await inTurn(asking, async (review) => [await commentOf(reader, review)]),
    answeredReviews: asking.filter(({ id }) => ours.some(({ body }) => answers(body, id))).map(({ id }) => id),
  };
}

/** The pull request alone. */
export async function factsAt({ gh, repository }: Reader, number: number): Promise<PullRequest> {
  const variables = { ...repository, number, after: null, threads: false, reviews: false, comments: false };
  const answer = await gh.graphQl(DISCUSSION, variables, discussionAnswer);
  return pullRequestOf(answer.repository.pullRequest);
}

/** The comments below a pull request. */
export async function commentsBelow({ gh, repository }: Reader, number: number): Promise<readonly CommentFacts[]> {
  const page = async (after: string | null) => {
    const variables = { ...repository, number, after, threads: false, reviews: false, comments: true };
    return (await gh.graphQl(DISCUSSION, variables, discussionAnswer)).repository.pullRequest.comments;
  };
  return everyPage(await page(null), page);
}

/** The comments of a thread from its beginning, those included that the account has not submitted, and what is known of it. */
export async function threadAt({ gh }: Reader, thread: string) {
  const page = async (after: string | null) => (await gh.graphQl(THREAD, { thread, after }, threadAnswer)).node;
  const first = await page(null);
  const comments = await everyPage(first.comments, async (after) => (await page(after)).comments);
  return {
    isResolved: first.isResolved,
    hasUnsubmittedReview: (first.pullRequest.reviews?.totalCount ?? 0) > 0,
    comments,
  };
}

export function pullRequestOf(facts: PullRequestFacts): PullRequest {
  const { number, url, state, headRefOid, baseRefName, isDraft, title, body, mergeable } = facts;
  return {
    number,
    url,
    state: ({ OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const)[state],
    head: headRefOid,
    base: baseRefName,
    isDraft,
    title,
    body,
    mergeable: ({ MERGEABLE: 'yes', CONFLICTING: 'conflict', UNKNOWN: 'unknown' } as const)[mergeable],
  };
}

/** The first page of all three lists comes with one request, the rest of each with others. */
async function discussion({ gh, repository }: Reader, number: number): Promise<Discussion> {
  const ask = async (wanted: QueryVariables) => {
    const variables = {
      ...repository,
      number,
      after: null,
      threads: false,
      reviews: false,
      comments: false,
      ...wanted,
    };
    return (await gh.graphQl(DISCUSSION, variables, discussionAnswer)).repository.pullRequest;
  };
  const first = await ask({ threads: true, reviews: true, comments: true });
  return {
    facts: first,
    threads: await everyPage(first.reviewThreads, async (after) => (await ask({ threads: true, after })).reviewThreads),
    reviews: await everyPage(
      first.latestOpinionatedReviews,
      async (after) => (await ask({ reviews: true, after })).latestOpinionatedReviews,
    ),
    comments: await everyPage(first.comments, async (after) => (await ask({ comments: true, after })).comments),
  };
}

async function checksAt(reader: Reader, facts: PullRequestFacts): Promise<readonly Check[]> {
  const { gh, repository } = reader;
  const { number, headRefOid: commit, baseRefName, state } = facts;
  const rollup = async (after: string | null) => {
    const answer = await gh.graphQl(CHECKS, { ...repository, number, commit, after }, checksAnswer);
    return answer.repository.object.statusCheckRollup;
  };
  const first = await rollup(null);
  const contexts = first ? await everyPage(first.contexts, async (after) => (await rollup(after))?.contexts) : [];
  return checksOf(contexts, state === 'OPEN' ? await requiredContexts(reader, baseRefName) : new Set());
}

/** A thread, without what its author has not submitted yet; nothing where that is all of it. */
async function threadOf(reader: Reader, facts: ThreadFacts): Promise<readonly Thread[]> {
  const all = await everyPage(
    facts.comments,
    async (after) => (await reader.gh.graphQl(THREAD, { thread: facts.id, after }, threadAnswer)).node.comments,
  );
  const submitted = all.filter(({ state }) => state !== 'PENDING');
  const [first] = submitted;
  if (first === undefined) return [];
  const line = facts.line ?? facts.originalLine;
  return [
    {
      id: facts.id,
      ...(facts.path && { path: facts.path }),
      ...(line && { line }),
      ...(first.diffHunk && { hunk: endOf(first.diffHunk, HUNK_CHARS_MAX) }),
      comments: await inTurn<ThreadComments['nodes'][number], Comment>(submitted, async (comment) => [
        await commentOf(reader, comment),
      ]),
    },
  ];
}

async function commentOf({ authors }: Reader, facts: CommentFacts): Promise<Comment> {
  const body = facts.body.slice(0, BODY_CHARS_MAX).replace(/[\ud800-\udbff]$/, '');
  return { id: facts.id, author: await authors(facts), body, url: facts.url };
}

/** A hunk ends with the line that the comment is about. */
function endOf(text: string, charsMax: number): string {
  return text.slice(-charsMax).replace(/^[\udc00-\udfff]/, '');
}

/** One after the other: GitHub asks not to be sent requests at once. */
async function inTurn<From, To>(
  list: readonly From[],
  each: (item: From) => Promise<readonly To[]>,
): Promise<readonly To[]> {
  const made: To[] = [];
  for (const item of list) made.push(...(await each(item)));
  return made;
}
