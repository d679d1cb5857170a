const FACTS = 'number url state headRefOid baseRefName isDraft title body mergeable';
const AUTHOR = 'author { __typename login } authorAssociation viewerDidAuthor';
const PAGE = 'pageInfo { hasNextPage endCursor }';
const COMMENT = `id body url ${AUTHOR}`;
const THREAD_COMMENTS = `nodes { ${COMMENT} state diffHunk } ${PAGE}`;

export const ACCESS = `query Access($owner: String!, $name: String!) {
  viewer { login }
  repository(owner: $owner, name: $name) { nameWithOwner viewerPermission defaultBranchRef { name } }
}`;

export const TEMPLATES = `query Templates($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { pullRequestTemplates { filename body } }
}`;

/** Branches of forks can have the same name; the answer tells them apart. */
export const OF_BRANCH = `query OfBranch($owner: String!, $name: String!, $branch: String!) {
  repository(owner: $owner, name: $name) {
    open: pullRequests(headRefName: $branch, states: [OPEN], first: 100) { nodes { ...Found } }
    ended: pullRequests(
      headRefName: $branch, states: [CLOSED, MERGED], first: 100, orderBy: { field: CREATED_AT, direction: DESC }
    ) { nodes { ...Found } }
  }
}
fragment Found on PullRequest { ${FACTS} isCrossRepository }`;

/** Asked again, with `$after`, for one of the three lists alone until it has no more pages. */
export const DISCUSSION = `query Discussion(
  $owner: String!, $name: String!, $number: Int!, $after: String, $threads: Boolean!, $reviews: Boolean!, $comments: Boolean!
) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      ${FACTS}
      reviewThreads(first: 25, after: $after) @include(if: $threads) {
        nodes { id isResolved path line originalLine comments(first: 50) { ${THREAD_COMMENTS} } } ${PAGE}
      }
      latestOpinionatedReviews(first: 50, after: $after) @include(if: $reviews) { nodes { ${COMMENT} state } ${PAGE} }
      comments(first: 50, after: $after) @include(if: $comments) { nodes { ${COMMENT} } ${PAGE} }
    }
  }
}`;

/** `pullRequest.reviews` tells a review of the account that it has not submitted: an answer would become part of it. */
export const THREAD = `query Thread($thread: ID!, $after: String) {
  node(id: $thread) {
    ... on PullRequestReviewThread {
      isResolved
      pullRequest { reviews(states: [PENDING], first: 1) { totalCount } }
      comments(first: 50, after: $after) { ${THREAD_COMMENTS} }
    }
  }
}`;

/** The checks of one commit, so that no answer mixes those of two (R-PR-10). */
export const CHECKS = `query Checks($owner: String!, $name: String!, $number: Int!, $commit: GitObjectID!, $after: String) {
  repository(owner: $owner, name: $name) {
    object(oid: $commit) {
      ... on Commit {
        statusCheckRollup {
          contexts(first: 50, after: $after) {
            nodes {
              __typename
              ... on CheckRun {
                databaseId name status conclusion detailsUrl title isRequired(pullRequestNumber: $number)
                checkSuite { app { slug } workflowRun { databaseId event workflow { name } } }
              }
              ... on StatusContext { context state targetUrl description isRequired(pullRequestNumber: $number) }
            }
            ${PAGE}
          }
        }
      }
    }
  }
}`;

export const REPLY = `mutation Reply($thread: ID!, $text: String!) {
  addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $thread, body: $text }) { comment { id } }
}`;

export const RESOLVE = `mutation Resolve($thread: ID!) {
  resolveReviewThread(input: { threadId: $thread }) { thread { id } }
}`;
