import type { Seen } from '../../../src/core/pull-request/seen.ts';
import { MemoryForgeSite } from '../../memory/forge-site.ts';
import { mergeFiles } from '../../memory/merge.ts';
import { MemoryOrigin } from '../../memory/origin.ts';
import { MemoryRepository } from '../../memory/repository.ts';
import type { HostedScript } from './script.ts';

/** The branch of the run, as it is named on the other side, and what it is to be merged into. */
export const BRANCH = 'feat/demo';
export const BASE = 'main';
/** The account that the coordinator uses on the forge. */
const SELF = 'robot';
/** A bot that the policy lists. */
export const LISTED_BOT = 'lint[bot]';

const PEOPLE = {
  ada: { mayWrite: true, isBot: false },
  eve: { mayWrite: false, isBot: false },
  [LISTED_BOT]: { mayWrite: false, isBot: true },
  'spam[bot]': { mayWrite: false, isBot: true },
} as const;

/** How far CI is with one check of one commit. */
export interface CiRun {
  readonly startedAt: number;
  readonly round: number;
  readonly isTold: boolean;
}

/** The other side of the remote and the forge, which outlive every coordinator, and the truth about who did what there. */
export class Hosted {
  readonly script: HostedScript;
  readonly origin: MemoryOrigin;
  readonly site: MemoryForgeSite;
  /** Requests to forge and remote so far. */
  requests: number;
  /** By `commit check`. */
  readonly ci: Map<string, CiRun>;
  /** Commits of the branch in the order in which CI saw them. */
  readonly heads: string[];
  /** Commits that people pushed to the branch, and did not take away themselves. */
  readonly byPeople: Set<string>;
  /** Acts that were due and had no occasion yet, by their place in the script. */
  readonly done: Set<number>;
  /** What the coordinator saw last, and when. */
  lastLook: { readonly seen: Seen; readonly atMs: number } | undefined;

  constructor(script: HostedScript, { repository, from }: { repository: MemoryRepository; from: Hosted | undefined }) {
    this.script = script;
    this.origin = from?.origin.copy() ?? originOf(repository);
    const headOf = (branch: string) => this.origin.branches.get(branch);
    this.site = from?.site.copy(headOf) ?? newSite(headOf);
    this.requests = from?.requests ?? 0;
    this.ci = new Map(from?.ci);
    this.heads = [...(from?.heads ?? [])];
    this.byPeople = new Set(from?.byPeople);
    this.done = new Set(from?.done);
    this.lastLook = from?.lastLook;
  }

  get head(): string | undefined {
    return this.origin.branches.get(BRANCH);
  }

  /** Commits, with their history, as the other side has them. */
  get there(): MemoryRepository {
    const view: MemoryRepository = Object.create(MemoryRepository.prototype);
    return Object.assign(view, { commits: this.origin.commits });
  }

  /** The number of the newest pull request that is open. */
  get open(): number | undefined {
    return this.site.pullRequests.findLast(({ state }) => state === 'open')?.number;
  }

  reaches(commit: string, ancestor: string): boolean {
    return this.origin.commits.has(commit) && [...this.there.history(commit)].some(({ id }) => id === ancestor);
  }

  /** The forge works out whether what is open can be merged. */
  mergeable(): void {
    const number = this.open;
    const base = this.origin.branches.get(BASE);
    if (number === undefined || base === undefined || this.head === undefined) return;
    const { conflicts } = mergeFiles(this.there, this.head, base);
    this.site.change(number, { mergeable: conflicts.length > 0 ? 'conflict' : 'yes' });
  }
}

/** The base is at the first commit there is. */
function originOf(repository: MemoryRepository): MemoryOrigin {
  const origin = new MemoryOrigin();
  const first = [...repository.history(repository.refs.get(`refs/heads/${BRANCH}`))].at(-1);
  if (first === undefined) throw new Error(`There is no branch ${BRANCH}.`);
  origin.commits.set(first.id, first);
  origin.branches.set(BASE, first.id);
  return origin;
}

function newSite(headOf: (branch: string) => string | undefined): MemoryForgeSite {
  const site = new MemoryForgeSite({ repository: 'acme/app', defaultBranch: BASE, user: SELF, headOf });
  for (const [name, person] of Object.entries(PEOPLE)) site.people.set(name, person);
  site.template = '## What\n\nPlease say.\n';
  return site;
}
