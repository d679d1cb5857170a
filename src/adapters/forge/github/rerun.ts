import { ForgeFault } from '../../../ports/forge.ts';
import { type JobFacts, jobAnswer, jobsAnswer } from './answers.ts';
import { succeeds } from './open.ts';
import { pathOf, type Reader } from './reader.ts';

const PAGE_SIZE = 100;
const PAGES_MAX = 50;

/**
 * Runs a job again, and resolves with whether it was: one that was run again since it was seen is not started once more, as
 * the answer to an earlier request may have been lost. GitHub begins none while others of its workflow run: throws
 * `ForgeFault` `unavailable` then.
 */
export async function rerunJob(reader: Reader, id: string): Promise<boolean> {
  const path = `${pathOf(reader)}/actions`;
  const seen = await jobSeen(reader, `${path}/jobs/${encodeURIComponent(id)}`);
  if (seen === undefined || seen.status !== 'completed') return false;
  const jobs = await jobsOf(reader, `${path}/runs/${seen.run_id}/jobs`);
  // Jobs that were not run again may come with new numbers in the newest attempt; when they began tells them apart.
  const same = jobs.find((job) => job.name === seen.name && job.started_at === seen.started_at);
  if (same === undefined) return jobs.some(({ name }) => name === seen.name);
  if (jobs.some(({ status }) => status !== 'completed'))
    throw new ForgeFault(
      'unavailable',
      `GitHub runs ${seen.name} again once the other jobs of its workflow have ended.`,
    );
  return succeeds(reader, { method: 'POST', path: `${path}/jobs/${same.id}/rerun` });
}

async function jobSeen({ gh }: Reader, path: string) {
  try {
    return await gh.rest({ path }, jobAnswer);
  } catch (fault) {
    if (fault instanceof ForgeFault && (fault.trouble === 'gone' || fault.trouble === 'denied')) return undefined;
    throw fault;
  }
}

/** The jobs of the newest attempt of a workflow run. */
async function jobsOf({ gh }: Reader, path: string): Promise<readonly JobFacts[]> {
  const jobs: JobFacts[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const answer = await gh.rest({ path: `${path}?filter=latest&per_page=${PAGE_SIZE}&page=${page}` }, jobsAnswer);
    jobs.push(...answer.jobs);
    if (answer.jobs.length === 0 || jobs.length >= answer.total_count) return jobs;
  }
  throw new ForgeFault(
    'not-understood',
    `GitHub has more than ${PAGES_MAX} pages of jobs, which are too many to read.`,
  );
}
