import * as z from 'zod/mini';

/** One page of a list: what is on it, and where the next one begins. */
export interface ListPage<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
}

function pageOf<Node extends z.ZodMiniType>(node: Node) {
  return z.object({
    nodes: z.array(node),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullish(z.string()) }),
  });
}

const facts = z.object({
  number: z.int(),
  url: z.string(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  headRefOid: z.string(),
  baseRefName: z.string(),
  isDraft: z.boolean(),
  title: z.string(),
  body: z.string(),
  mergeable: z.enum(['MERGEABLE', 'CONFLICTING', 'UNKNOWN']),
});
/** What every query tells of a pull request. */
export type PullRequestFacts = z.infer<typeof facts>;

const comment = z.object({
  id: z.string(),
  body: z.string(),
  url: z.string(),
  /** None for an account that was deleted. */
  author: z.nullable(z.object({ __typename: z.string(), login: z.string() })),
  authorAssociation: z.string(),
  viewerDidAuthor: z.boolean(),
});
export type CommentFacts = z.infer<typeof comment>;

const threadComments = pageOf(z.extend(comment, { state: z.string(), diffHunk: z.string() }));
export type ThreadComments = z.infer<typeof threadComments>;

const reviewThread = z.object({
  id: z.string(),
  isResolved: z.boolean(),
  path: z.nullish(z.string()),
  line: z.nullish(z.number()),
  originalLine: z.nullish(z.number()),
  comments: threadComments,
});
export type ThreadFacts = z.infer<typeof reviewThread>;

const reviewOpinion = z.extend(comment, { state: z.string() });
export type ReviewFacts = z.infer<typeof reviewOpinion>;

const workflowRun = z.object({
  databaseId: z.nullish(z.number()),
  event: z.string(),
  workflow: z.nullish(z.object({ name: z.string() })),
});
const checkRun = z.object({
  __typename: z.literal('CheckRun'),
  databaseId: z.nullish(z.number()),
  name: z.string(),
  status: z.string(),
  conclusion: z.nullish(z.string()),
  detailsUrl: z.nullish(z.string()),
  title: z.nullish(z.string()),
  isRequired: z.boolean(),
  checkSuite: z.nullish(
    z.object({ app: z.nullish(z.object({ slug: z.string() })), workflowRun: z.nullish(workflowRun) }),
  ),
});
export type CheckRunFacts = z.infer<typeof checkRun>;

const statusContext = z.object({
  __typename: z.literal('StatusContext'),
  context: z.string(),
  state: z.string(),
  targetUrl: z.nullish(z.string()),
  description: z.nullish(z.string()),
  isRequired: z.boolean(),
});
export type StatusFacts = z.infer<typeof statusContext>;

function repositoryWith<Fields extends Readonly<Record<string, z.ZodMiniType>>>(fields: Fields) {
  return z.object({ repository: z.object(fields) });
}

export const accessAnswer = z.object({
  viewer: z.object({ login: z.string() }),
  repository: z.object({
    nameWithOwner: z.string(),
    viewerPermission: z.nullish(z.string()),
    /** None in a repository without a commit. */
    defaultBranchRef: z.nullable(z.object({ name: z.string() })),
  }),
});

export const templatesAnswer = repositoryWith({
  pullRequestTemplates: z.nullish(z.array(z.object({ filename: z.nullish(z.string()), body: z.nullish(z.string()) }))),
});

const found = z.object({ nodes: z.array(z.extend(facts, { isCrossRepository: z.boolean() })) });
export const ofBranchAnswer = repositoryWith({ open: found, ended: found });

export const discussionAnswer = repositoryWith({
  pullRequest: z.extend(facts, {
    reviewThreads: z.optional(pageOf(reviewThread)),
    latestOpinionatedReviews: z.nullish(pageOf(reviewOpinion)),
    comments: z.optional(pageOf(comment)),
  }),
});

export const threadAnswer = z.object({
  node: z.object({
    isResolved: z.boolean(),
    pullRequest: z.object({ reviews: z.nullish(z.object({ totalCount: z.int() })) }),
    comments: threadComments,
  }),
});

const contexts = pageOf(z.union([checkRun, statusContext]));
export const checksAnswer = repositoryWith({
  object: z.object({ statusCheckRollup: z.nullable(z.object({ contexts })) }),
});

/** An answer of which only the success matters. */
export const anyAnswer = z.unknown();

export const openedAnswer = z.object({ number: z.int() });

export const permissionAnswer = z.object({ permission: z.string() });

const job = z.object({ id: z.int(), name: z.string(), status: z.string(), started_at: z.nullish(z.string()) });
export type JobFacts = z.infer<typeof job>;
export const jobAnswer = z.extend(job, { run_id: z.int() });
export const jobsAnswer = z.object({ total_count: z.int(), jobs: z.array(job) });

const contextNames = z.object({ contexts: z.array(z.string()) });
export const branchAnswer = z.object({
  protection: z.nullish(z.object({ required_status_checks: z.nullish(contextNames) })),
});
export const rulesAnswer = z.array(z.object({ type: z.string(), parameters: z.optional(z.unknown()) }));
export const checksRule = z.object({ required_status_checks: z.array(z.object({ context: z.string() })) });
