import { schema as gitHub } from '@octokit/graphql-schema';
import {
  buildSchema,
  defaultFieldResolver,
  getNullableType,
  graphql,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { Refusal } from './model.mjs';

/** The published schema of GitHub, so that a query which GitHub would not take is not taken here. */
const SCHEMA = buildSchema(gitHub.idl, { assumeValid: true });
const PAGE_MAX = 100;

/** What a check says in the words of check runs, and of statuses. */
const RUN = {
  pending: { status: 'IN_PROGRESS', conclusion: null },
  queued: { status: 'QUEUED', conclusion: null },
  passed: { status: 'COMPLETED', conclusion: 'SUCCESS' },
  skipped: { status: 'COMPLETED', conclusion: 'SKIPPED' },
  failed: { status: 'COMPLETED', conclusion: 'FAILURE' },
  'cut-off': { status: 'COMPLETED', conclusion: 'CANCELLED' },
};
const STATUS = { pending: 'PENDING', queued: 'EXPECTED', passed: 'SUCCESS', failed: 'FAILURE', 'cut-off': 'ERROR' };

/** Answers a request of GraphQL, as GitHub does: with status 200, and `type` in each error. */
export async function answerQuery(model, { query, variables }) {
  const result = await graphql({
    schema: SCHEMA,
    source: query,
    rootValue: rootOf(model),
    variableValues: variables,
    fieldResolver: resolveOr,
  });
  const errors = result.errors?.map((error) => {
    const type = error.originalError instanceof Refusal ? error.originalError.type : undefined;
    return { ...(type && { type }), ...error.toJSON() };
  });
  return { data: result.data ?? null, ...(errors && { errors }) };
}

/** What the model does not hold, and GitHub always has, is empty: gh's own commands ask for more than the adapter does. */
function resolveOr(source, args, context, info) {
  const value = defaultFieldResolver(source, args, context, info);
  return value === undefined && isNonNullType(info.returnType) ? emptyOf(getNullableType(info.returnType)) : value;
}

function emptyOf(type) {
  if (isListType(type)) return [];
  if (isObjectType(type)) return {};
  if (isEnumType(type)) return type.getValues()[0]?.value;
  return (
    { Boolean: false, Int: 0, Float: 0, DateTime: '2026-01-01T00:00:00Z', URI: 'https://github.com' }[type.name] ?? ''
  );
}

function rootOf(model) {
  return {
    viewer: { login: model.account },
    repository: ({ owner, name }) => {
      if (owner !== model.owner || name !== model.name)
        throw new Refusal('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      return repositoryOf(model);
    },
    node: ({ id }) => {
      const pull = model.pulls.find(({ number }) => id === idOf(number));
      return pull ? { __typename: 'PullRequest', ...pullOf(model, pull) } : threadOf(model, model.threadOf(id));
    },
    addPullRequestReviewThreadReply: ({ input: { pullRequestReviewThreadId, body } }) => {
      model.requireWriting();
      const thread = model.threadOf(pullRequestReviewThreadId);
      const isPending = hasDraft(model, thread.number);
      return {
        comment: commentOf(model, 'PullRequestReviewComment', model.reply(thread.id, model.account, body, isPending)),
      };
    },
    resolveReviewThread: ({ input: { threadId } }) => {
      model.requireWriting();
      return { thread: threadOf(model, model.resolve(threadId)) };
    },
  };
}

function repositoryOf(model) {
  const permission = model.permissionOf(model.account).toUpperCase();
  return {
    nameWithOwner: `${model.owner}/${model.name}`,
    viewerPermission: permission,
    defaultBranchRef: model.git.headOf(model.defaultBranch) ? { name: model.defaultBranch } : null,
    pullRequestTemplates: model.templates.map((body) => ({ filename: 'pull_request_template.md', body })),
    pullRequest: ({ number }) => pullOf(model, model.pull(number)),
    pullRequests: ({ headRefName, states, orderBy, ...page }) => {
      const found = model.pulls.filter(
        ({ branch, state }) => branch === headRefName && (!states || states.includes(state)),
      );
      const ordered = orderBy?.direction === 'DESC' ? found.toReversed() : found;
      return pageOf(
        ordered.map((pull) => pullOf(model, pull)),
        page,
      );
    },
    object: ({ oid }) => {
      for (const pull of model.pulls.filter(({ head }) => head === oid)) model.onLook(pull);
      return { __typename: 'Commit', oid, statusCheckRollup: rollupOf(model, oid) };
    },
  };
}

function idOf(number) {
  return `PR_${number}`;
}

function pullOf(model, pull) {
  const { number } = pull;
  const ofPull = (list) => list.filter((each) => each.number === number);
  return {
    ...pull,
    id: idOf(number),
    commits: () => ({
      nodes: [{ commit: { oid: pull.head, statusCheckRollup: rollupOf(model, pull.head) } }],
    }),
    url: model.urlOf(number),
    headRefOid: pull.head,
    headRefName: pull.branch,
    baseRefName: pull.base,
    mergeable: model.mergeableOf(pull),
    isCrossRepository: pull.isCrossRepository ?? false,
    // What others have not submitted yet only they see.
    reviewThreads: (page) =>
      pageOf(
        ofPull(model.threads)
          .filter(({ comments }) => comments.some((comment) => isVisible(model, comment)))
          .map((thread) => threadOf(model, thread)),
        page,
      ),
    reviews: ({ states, ...page }) => {
      const draft = hasDraft(model, number) ? [{ by: model.account, state: 'PENDING', body: '' }] : [];
      const all = [...ofPull(model.reviews), ...draft].filter(({ state }) => !states || states.includes(state));
      return pageOf(
        all.map((review) => commentOf(model, 'PullRequestReview', review)),
        page,
      );
    },
    latestOpinionatedReviews: (page) => {
      const opinions = ofPull(model.reviews).filter(({ state }) => state !== 'COMMENTED');
      const latest = [...new Map(opinions.map((review) => [review.by, review])).values()];
      return pageOf(
        latest.map((review) => commentOf(model, 'PullRequestReview', review)),
        page,
      );
    },
    comments: (page) =>
      pageOf(
        ofPull(model.comments).map((comment) => commentOf(model, 'IssueComment', comment)),
        page,
      ),
  };
}

function threadOf(model, thread) {
  return {
    __typename: 'PullRequestReviewThread',
    ...thread,
    originalLine: thread.line,
    pullRequest: () => pullOf(model, model.pull(thread.number)),
    comments: (page) => {
      const visible = thread.comments.filter((comment) => isVisible(model, comment));
      const told = visible.map((comment) => ({
        ...commentOf(model, 'PullRequestReviewComment', comment),
        diffHunk: thread.hunk,
      }));
      return pageOf(told, page);
    },
  };
}

/** Whether the account has a review that it has not submitted. */
function hasDraft(model, number) {
  const comments = model.threads.filter((thread) => thread.number === number).flatMap((thread) => thread.comments);
  return comments.some(({ by, state }) => by === model.account && state === 'PENDING');
}

function isVisible(model, { by, state }) {
  return state !== 'PENDING' || by === model.account;
}

function commentOf(model, __typename, comment) {
  const person = model.people.get(comment.by);
  const author = comment.by === 'ghost' ? null : { __typename: person?.isBot ? 'Bot' : 'User', login: comment.by };
  const authorAssociation = person?.association ?? 'NONE';
  return { __typename, ...comment, author, authorAssociation, viewerDidAuthor: comment.by === model.account };
}

function rollupOf(model, commit) {
  const checks = model.checksOf(commit);
  return checks.length === 0
    ? null
    : {
        contexts: (page) =>
          pageOf(
            checks.map((check) => contextOf(model, check)),
            page,
          ),
      };
}

function contextOf(model, { id, run, workflow, job, state, isRequired, title }) {
  const url = `https://github.com/${model.owner}/${model.name}/actions/runs/${run}/job/${id}`;
  if (workflow === undefined)
    return {
      __typename: 'StatusContext',
      context: job,
      state: STATUS[state],
      targetUrl: url,
      description: title,
      isRequired,
    };
  return {
    __typename: 'CheckRun',
    ...{ databaseId: id, name: job, ...RUN[state], detailsUrl: url, title, isRequired },
    checkSuite: {
      app: { slug: 'github-actions' },
      workflowRun: { databaseId: run, event: 'pull_request', workflow: { name: workflow } },
    },
  };
}

/** A page of a connection. */
function pageOf(items, { first, after }) {
  if (!(first >= 1 && first <= PAGE_MAX)) throw new Error(`You must provide a \`first\` of 1 to ${PAGE_MAX}.`);
  const start = after ? Number(after) : 0;
  const end = start + first;
  return {
    totalCount: items.length,
    nodes: items.slice(start, end),
    pageInfo: { hasNextPage: end < items.length, endCursor: String(Math.min(end, items.length)) },
  };
}
