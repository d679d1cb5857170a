import { answers, isSameAnswer } from '../../src/adapters/forge/marks.ts';
import type { Author, Check, Comment, NewPullRequest, PullRequest, Seen } from '../../src/core/pull-request/seen.ts';
import { ForgeFault } from '../../src/ports/forge.ts';

/** Somebody with an account on the forge. */
export interface Person {
  readonly mayWrite: boolean;
  readonly isBot: boolean;
}

export interface SiteOptions {
  /** As `owner/name`. */
  readonly repository: string;
  readonly defaultBranch: string;
  /** The account that specloop writes with. */
  readonly user: string;
  /** The commit that a branch of the repository has on the forge; `undefined` if it is not there. */
  readonly headOf: (branch: string) => string | undefined;
}

/** What CI says of a commit; all but the state may be left out. */
export interface CheckReport extends Partial<Omit<Check, 'name'>> {
  readonly state: Check['state'];
  readonly log?: string;
}

interface StoredCheck {
  readonly check: Check;
  readonly log: string | undefined;
}

interface StoredPullRequest {
  facts: PullRequest;
  readonly branch: string;
  readonly labels: readonly string[];
  reviewers: readonly string[];
}

interface StoredThread {
  readonly id: string;
  readonly number: number;
  readonly place: { readonly path?: string; readonly line?: number; readonly hunk?: string };
  isResolved: boolean;
}

interface StoredComment {
  readonly comment: Comment;
  /** The pull request, thread or review that it belongs to. */
  readonly of: string;
}

interface StoredReview {
  readonly id: string;
  readonly number: number;
  readonly author: string;
  readonly opinion: 'approves' | 'asks-for-changes' | 'comments';
}

/**
 * A forge in memory, as its web pages show it to people and CI, who act through these methods. It outlives the programs
 * that use it through `memoryForge`.
 */
export class MemoryForgeSite {
  readonly options: SiteOptions;
  /** Everybody but the account itself, which may write; who is not in it may not. */
  readonly people = new Map<string, Person>();
  readonly labels = new Set<string>();
  /** Names of jobs (`build` of `CI / build`) and other checks that are required: what has not begun is pending. */
  readonly required = new Set<string>();
  template: string | undefined;
  mayWrite = true;
  readonly #pullRequests: StoredPullRequest[] = [];
  readonly #checks = new Map<string, Map<string, StoredCheck>>();
  readonly #threads: StoredThread[] = [];
  readonly #reviews: StoredReview[] = [];
  readonly #comments: StoredComment[] = [];
  /** Ids of checks before they were run again. */
  readonly #former = new Set<string>();
  #ids = 0;

  constructor(options: SiteOptions) {
    this.options = options;
  }

  /** A site of its own that begins as this one is, for another repository. */
  copy(headOf: SiteOptions['headOf']): MemoryForgeSite {
    const twin = new MemoryForgeSite({ ...this.options, headOf });
    for (const [name, person] of this.people) twin.people.set(name, person);
    for (const label of this.labels) twin.labels.add(label);
    twin.template = this.template;
    twin.mayWrite = this.mayWrite;
    twin.#pullRequests.push(...this.#pullRequests.map((stored) => ({ ...stored })));
    for (const [commit, checks] of this.#checks) twin.#checks.set(commit, new Map(checks));
    twin.#threads.push(...this.#threads.map((thread) => ({ ...thread })));
    twin.#reviews.push(...this.#reviews);
    twin.#comments.push(...this.#comments);
    for (const id of this.#former) twin.#former.add(id);
    twin.#ids = this.#ids;
    return twin;
  }

  /** Every pull request there ever was, oldest first. */
  get pullRequests(): readonly PullRequest[] {
    return this.#pullRequests.map((stored) => this.#now(stored));
  }

  /** Every discussion of a pull request, oldest first; resolved ones too. */
  threadsOf(number: number): readonly string[] {
    return this.#threads.filter((thread) => thread.number === number).map(({ id }) => id);
  }

  /** CI says how a check of a commit stands, in place of what it said before under that name. */
  check(commit: string, name: string, { log, ...report }: CheckReport): void {
    const ofCommit = this.#checks.get(commit) ?? new Map<string, StoredCheck>();
    const job = ofCommit.get(name)?.check.job ?? this.#id('job');
    ofCommit.set(name, { check: { name, isRequired: true, job, ...report }, log });
    this.#checks.set(commit, ofCommit);
  }

  /** How a check of a commit stands; `undefined` if there is none. */
  stateOf(commit: string, name: string): Check['state'] | undefined {
    return this.#checks.get(commit)?.get(name)?.check.state;
  }

  /** Somebody begins a discussion of a place of the change; returns its id. */
  comment(number: number, author: string, body: string, place: StoredThread['place'] = {}): string {
    const id = this.#id('thread');
    this.#threads.push({ id, number, place, isResolved: false });
    this.write(id, author, body);
    return id;
  }

  /** Somebody writes in a discussion, or (`of` is its number as text) below a pull request; returns the comment's id. */
  write(of: string, author: string, body: string): string {
    const id = this.#id('comment');
    this.#comments.push({ of, comment: this.#words(id, author, body) });
    return id;
  }

  edit(commentId: string, body: string): void {
    const at = this.#comments.findIndex(({ comment }) => comment.id === commentId);
    const found = this.#comments[at];
    if (found === undefined) throw new Error(`There is no comment ${commentId}.`);
    this.#comments[at] = { ...found, comment: { ...found.comment, body } };
  }

  resolve(threadId: string): void {
    const thread = this.#threads.find(({ id }) => id === threadId);
    if (thread === undefined) throw new ForgeFault('gone', `There is no thread ${threadId}.`);
    thread.isResolved = true;
  }

  /** Somebody reviews a pull request; returns the review's id. */
  review(number: number, author: string, opinion: StoredReview['opinion'], body = ''): string {
    const id = this.#id('review');
    this.#reviews.push({ id, number, author, opinion });
    this.#comments.push({ of: id, comment: this.#words(id, author, body) });
    return id;
  }

  /** Somebody closes, merges, retargets or rewrites a pull request, or the forge finds a conflict in it. */
  change(number: number, changes: Partial<PullRequest>): void {
    const stored = this.#stored(number);
    stored.facts = { ...this.#now(stored), ...changes };
  }

  open(wanted: NewPullRequest): PullRequest {
    const { branch, base = this.options.defaultBranch, title, body, isDraft } = wanted;
    const head = this.options.headOf(branch);
    if (head === undefined || head === this.options.headOf(base))
      throw new ForgeFault('refused', `There is nothing to merge from ${branch} into ${base}.`);
    const number = this.#pullRequests.length + 1;
    const url = `https://forge.test/${this.options.repository}/pull/${number}`;
    const facts = { number, url, state: 'open', head, base, isDraft, title, body, mergeable: 'yes' } as const;
    const labels = wanted.labels.filter((label) => this.labels.has(label));
    this.#pullRequests.push({
      facts,
      branch,
      labels,
      reviewers: wanted.reviewers.filter((name) => this.people.has(name)),
    });
    return facts;
  }

  askForReview(number: number, person: string): void {
    const stored = this.#stored(number);
    if (this.people.has(person)) stored.reviewers = [...new Set([...stored.reviewers, person])];
  }

  find(branch: string): PullRequest | undefined {
    const ofBranch = this.#pullRequests.filter((stored) => stored.branch === branch).map((stored) => this.#now(stored));
    return ofBranch.find(({ state }) => state === 'open') ?? ofBranch.at(-1);
  }

  look(number: number): Seen {
    const pullRequest = this.#now(this.#stored(number));
    const ours = this.commentsOf(String(number)).filter(({ author }) => author.isSelf);
    const opinions = this.#opinions(number);
    return {
      pullRequest,
      checks: this.#checksOf(pullRequest.head),
      threads: this.#threads
        .filter((thread) => thread.number === number && !thread.isResolved)
        .map(({ id, place }) => ({ id, ...place, comments: this.commentsOf(id) })),
      changesRequested: opinions
        .filter(({ opinion }) => opinion !== 'approves')
        .flatMap(({ id }) => this.commentsOf(id)),
      answeredReviews: opinions.filter(({ id }) => ours.some(({ body }) => answers(body, id))).map(({ id }) => id),
    };
  }

  /** The comments of a thread or (its number as text) a pull request, in the order they were written. */
  commentsOf(of: string): readonly Comment[] {
    return this.#comments.filter((stored) => stored.of === of).map(({ comment }) => comment);
  }

  /** Whether the account has given this answer there already. */
  isAnswered(of: string, text: string): boolean {
    return this.commentsOf(of).some(({ author, body }) => author.isSelf && isSameAnswer(body, text));
  }

  isResolved(threadId: string): boolean {
    return this.#threads.some(({ id, isResolved }) => id === threadId && isResolved);
  }

  /** What a pull request was opened with, and who was asked to review it since. */
  askedOf(number: number): { readonly labels: readonly string[]; readonly reviewers: readonly string[] } {
    const { labels, reviewers } = this.#stored(number);
    return { labels, reviewers };
  }

  /** The log of a check, by what the forge addresses it by. */
  logOf(job: string): string | undefined {
    return this.#job(job)?.log;
  }

  /** Runs a check again, which is pending then and addressed by another id; one that was run again since is not run once more. */
  rerun(job: string): boolean {
    if (this.#former.has(job)) return true;
    const found = this.#job(job);
    if (found === undefined || found.check.state === 'pending') return false;
    const { commit, check, log } = found;
    const ofCommit = this.#checks.get(commit) ?? new Map<string, StoredCheck>();
    const workflow = workflowOf(check.name);
    const others = [...ofCommit.values()].filter(({ check: { name } }) => workflow && workflowOf(name) === workflow);
    if (others.some(({ check: { state } }) => state === 'pending'))
      throw new ForgeFault('unavailable', `${check.name} is run again once the other jobs of its workflow have ended.`);
    this.#former.add(job);
    ofCommit.set(check.name, { check: { ...check, state: 'pending', job: this.#id('job') }, log });
    return true;
  }

  #checksOf(commit: string): readonly Check[] {
    const begun = [...(this.#checks.get(commit)?.values() ?? [])].map(({ check }) => check);
    const missing = [...this.required].filter((name) => !begun.some((check) => jobOf(check.name) === name));
    return [...begun, ...missing.map((name): Check => ({ name, state: 'pending', isRequired: true }))];
  }

  #job(id: string): (StoredCheck & { readonly commit: string }) | undefined {
    for (const [commit, checks] of this.#checks)
      for (const stored of checks.values()) if (stored.check.job === id) return { ...stored, commit };
    return undefined;
  }

  /** The newest opinion of each author; a review that only comments is none. */
  #opinions(number: number): readonly StoredReview[] {
    const held = this.#reviews.filter((review) => review.number === number && review.opinion !== 'comments');
    return [...new Map(held.map((review) => [review.author, review])).values()];
  }

  #stored(number: number): StoredPullRequest {
    const stored = this.#pullRequests[number - 1];
    if (stored === undefined) throw new ForgeFault('gone', `There is no pull request ${number}.`);
    return stored;
  }

  /** An open pull request follows its branch. */
  #now(stored: StoredPullRequest): PullRequest {
    const head = this.options.headOf(stored.branch);
    if (stored.facts.state === 'open' && head !== undefined) stored.facts = { ...stored.facts, head };
    return stored.facts;
  }

  #words(id: string, name: string, body: string): Comment {
    const isSelf = name === this.options.user;
    const person = this.people.get(name) ?? { mayWrite: isSelf && this.mayWrite, isBot: false };
    const author: Author = { name, isSelf, ...person };
    return { id, author, body, url: `https://forge.test/${this.options.repository}/comments/${id}` };
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}-${this.#ids}`;
  }
}

/** `build` of `CI / build`. */
function jobOf(name: string): string {
  return name.split(' / ').at(-1) ?? name;
}

/** `CI` of `CI / build`. */
function workflowOf(name: string): string | undefined {
  return name.includes(' / ') ? name.split(' / ')[0] : undefined;
}
