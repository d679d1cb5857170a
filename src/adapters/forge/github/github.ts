import type { Forge, ForgeAccess } from '../../../ports/forge.ts';
import { ForgeFault } from '../../../ports/forge.ts';
import { answerReview, answerThread } from './answer.ts';
import { accessAnswer, anyAnswer, templatesAnswer } from './answers.ts';
import { authorsIn } from './authors.ts';
import { type GhOptions, ghApi } from './gh.ts';
import { endOfLog } from './log.ts';
import { lookAt } from './look.ts';
import { findPullRequest, openPullRequest } from './open.ts';
import { ACCESS, TEMPLATES } from './queries.ts';
import { pathOf, type Reader } from './reader.ts';
import type { GitHubRepository } from './repository.ts';
import { rerunJob } from './rerun.ts';

export interface GitHubForgeOptions extends Omit<GhOptions, 'host'> {
  readonly repository: GitHubRepository;
}

/** Longest part of a log that is read from its end, in bytes: what a job cleans up after its failure may be long. */
const LOG_BYTES_MAX = 1024 * 1024;
const WRITING_PERMISSIONS: ReadonlySet<string> = new Set(['ADMIN', 'MAINTAIN', 'WRITE']);

/** Pull requests of a repository on GitHub, reached by the user's own `gh` (R-PR-7). */
export function gitHubForge({ repository: { host, owner, name }, ...options }: GitHubForgeOptions): Forge {
  const repository = { owner, name };
  const path = pathOf({ repository });
  const gh = ghApi({ ...options, host });
  const reader: Reader = { gh, repository, authors: authorsIn(gh, path) };
  const access = () => accessTo(reader, host);
  return {
    name: 'GitHub',
    access,
    find: (branch) => findPullRequest(reader, branch),
    open: async (wanted) => openPullRequest(reader, wanted, wanted.base ?? (await access()).defaultBranch),
    look: (number) => lookAt(reader, number),
    logOf: (job, { charsMax }) => logOf(reader, job, charsMax),
    rerun: (job) => rerunJob(reader, job),
    answerThread: (_number, thread, answer) => answerThread(reader, thread, answer),
    answerReview: (number, { author }, text) => answerReview(reader, number, author, text),
    async describe(number, { title, body }) {
      await gh.rest({ method: 'PATCH', path: `${path}/pulls/${number}`, body: { title, body } }, anyAnswer);
    },
    template: () => templateOf(reader),
  };
}

async function accessTo({ gh, repository }: Reader, host: string): Promise<ForgeAccess> {
  const { viewer, repository: answer } = await gh.graphQl(ACCESS, repository, accessAnswer);
  if (answer.defaultBranchRef === null)
    throw new ForgeFault(
      'refused',
      `The repository ${answer.nameWithOwner} on ${host} has no commits yet. Push its default branch first.`,
    );
  return {
    repository: answer.nameWithOwner,
    host,
    defaultBranch: answer.defaultBranchRef.name,
    mayWrite: WRITING_PERMISSIONS.has(answer.viewerPermission ?? ''),
    user: viewer.login,
  };
}

/** Logs that GitHub has deleted, or that are no longer kept, are none. */
async function logOf(reader: Reader, job: string, charsMax: number): Promise<string | undefined> {
  try {
    const path = `${pathOf(reader)}/actions/jobs/${encodeURIComponent(job)}/logs`;
    return endOfLog(await reader.gh.text(path, { bytesMax: LOG_BYTES_MAX }), charsMax);
  } catch (fault) {
    if (fault instanceof ForgeFault && (fault.trouble === 'gone' || fault.trouble === 'denied')) return undefined;
    throw fault;
  }
}

async function templateOf({ gh, repository }: Reader): Promise<string | undefined> {
  const answer = await gh.graphQl(TEMPLATES, repository, templatesAnswer);
  return answer.repository.pullRequestTemplates?.find(({ body }) => body)?.body ?? undefined;
}
