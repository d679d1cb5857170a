import { BareRepository } from './bare.mjs';

/** What is asked about is not there, or may not be done; the interfaces turn it into an answer. */
export class Refusal extends Error {
  /** @param {'NOT_FOUND' | 'FORBIDDEN' | 'UNPROCESSABLE'} type */
  constructor(type, message) {
    super(message);
    this.type = type;
  }
}

const WRITING = new Set(['admin', 'maintain', 'write']);

/**
 * What a GitHub knows of one repository: pull requests, checks, threads, reviews, and people with permissions. People and CI
 * act through its methods. Commits are those of a real bare repository, which others push to.
 */
export class GitHubModel {
  #ids = 100;
  #mergeable = new Map();

  constructor({ repository = 'acme/app', gitDir, account = 'robot', permission = 'write' }) {
    [this.owner, this.name] = repository.split('/');
    this.git = new BareRepository(gitDir);
    this.defaultBranch = 'main';
    this.account = account;
    this.people = new Map();
    this.person(account, { permission });
    this.labels = new Set();
    /** Names of jobs and statuses that are required: by the protection of each branch, and by its rules. */
    this.required = new Set();
    this.ruled = new Set();
    this.templates = [];
    this.isSignedOut = false;
    this.pulls = [];
    /** By commit and name. */
    this.checks = new Map();
    /** Executions of jobs that another has followed, by their numbers. */
    this.former = new Map();
    this.threads = [];
    this.reviews = [];
    this.comments = [];
    this.faults = [];
    /** Called with each push to an open pull request, and each time its checks are asked for. */
    this.onPush = (_pull) => {};
    this.onLook = (_pull) => {};
  }

  // What CI does.

  /**
   * A check reports on a commit. A name as `CI / build` is a job of a workflow, which has a log and can be run again; any other
   * is a status. `rerun` is what it reports after it was run again.
   */
  check(commit, name, { state, isRequired = true, log, title = null, rerun }) {
    const ofCommit = this.checks.get(commit) ?? new Map();
    const [workflow, job] = name.includes(' / ') ? name.split(' / ') : [undefined, name];
    const before = ofCommit.get(name) ?? { id: this.id(), startedAt: this.instant() };
    const run = [...ofCommit.values()].find((check) => check.workflow === workflow)?.run ?? this.id();
    const { id, startedAt } = before;
    const report = { workflow, job, state, isRequired, log, title, rerun };
    ofCommit.set(name, { id, startedAt, run, ...report });
    this.checks.set(commit, ofCommit);
  }

  checksOf(commit) {
    return [...(this.checks.get(commit)?.values() ?? [])];
  }

  /** A job by its number, which may be that of an execution that another has followed. */
  job(id) {
    return this.former.get(id) ?? this.#jobs().find((check) => String(check.id) === id);
  }

  jobsOfRun(run) {
    return this.#jobs().filter((check) => String(check.run) === run);
  }

  /** Begins a job again, with a new number; `false` while its workflow runs. */
  rerun(id) {
    this.requireWriting();
    const check = this.#jobs().find((each) => String(each.id) === id);
    if (check === undefined) throw new Refusal('NOT_FOUND', 'Not Found');
    if (this.jobsOfRun(String(check.run)).some(({ state }) => isRunning(state))) return false;
    this.former.set(id, { ...check });
    const next = check.rerun ?? check.state;
    Object.assign(check, { id: this.id(), startedAt: this.instant(), next, state: 'pending' });
    return true;
  }

  #jobs() {
    return [...this.checks.values()].flatMap((checks) => [...checks.values()]).filter(({ workflow }) => workflow);
  }

  // What people do.

  person(login, { permission = 'write', isBot = false, association = 'MEMBER' } = {}) {
    this.people.set(login, { permission, isBot, association });
  }

  thread(number, { by, body, path = 'src/a.ts', line = 3, hunk = '@@ -1,3 +1,3 @@\n+line', isPending = false }) {
    const id = `PRRT_${this.id()}`;
    this.threads.push({ id, number, path, line, hunk, isResolved: false, comments: [] });
    this.reply(id, by, body, isPending);
    return id;
  }

  reply(threadId, by, body, isPending = false) {
    const thread = this.threadOf(threadId);
    const id = this.id();
    const url = `${this.urlOf(thread.number)}#discussion_r${id}`;
    thread.comments.push({ id: `PRRC_${id}`, by, body, url, state: isPending ? 'PENDING' : 'SUBMITTED' });
    return thread.comments.at(-1);
  }

  resolve(threadId) {
    const thread = this.threadOf(threadId);
    thread.isResolved = true;
    return thread;
  }

  /** @param {'approves' | 'asks-for-changes' | 'comments'} opinion */
  review(number, { by, opinion, body = '' }) {
    const states = { approves: 'APPROVED', 'asks-for-changes': 'CHANGES_REQUESTED', comments: 'COMMENTED' };
    const id = this.id();
    const url = `${this.urlOf(number)}#pullrequestreview-${id}`;
    this.reviews.push({ id: `PRR_${id}`, number, by, body, url, state: states[opinion] });
    return `PRR_${id}`;
  }

  comment(number, by, body) {
    const id = this.id();
    this.pull(number);
    this.comments.push({ id: `IC_${id}`, number, by, body, url: `${this.urlOf(number)}#issuecomment-${id}` });
    return this.comments.at(-1);
  }

  /** Somebody changes the pull request itself: `state` (`OPEN`, `CLOSED`, `MERGED`), `base`, `isDraft`, `mergeable`. */
  change(number, changes) {
    this.sync();
    Object.assign(this.pull(number), changes);
  }

  /** Somebody merges it, in the repository as well. */
  merge(number) {
    this.sync();
    const pull = this.pull(number);
    this.git.merge(pull.base, pull.head, `Merge pull request #${number} from ${this.owner}/${pull.branch}`);
    pull.state = 'MERGED';
  }

  /**
   * Answers the next requests (`times`, default 1) whose `METHOD /path`, or the query, has `on` in it, with a failure: an HTTP
   * status, 0 for a connection that breaks, or a `limit` (`primary`, `secondary`) that ends after `seconds`. With
   * `isAnswerLost` it is carried out, and the connection breaks before the answer.
   */
  failNext(fault) {
    this.faults.push({ times: 1, on: '', ...fault });
  }

  takeFault(request) {
    const at = this.faults.findIndex(({ on, times }) => times > 0 && request.includes(on));
    if (at < 0) return undefined;
    this.faults[at].times -= 1;
    return this.faults[at];
  }

  // What the account does.

  open({ title, body = '', head, base, draft = false }) {
    this.requireWriting();
    const [from, to] = [this.git.headOf(head), this.git.headOf(base)];
    if (from === undefined) throw new Refusal('UNPROCESSABLE', "Head sha can't be blank");
    if (to === undefined) throw new Refusal('UNPROCESSABLE', 'Base ref must be a branch');
    if (this.pulls.some(({ branch, state }) => branch === head && state === 'OPEN'))
      throw new Refusal('UNPROCESSABLE', `A pull request already exists for ${this.owner}:${head}.`);
    if (!this.git.isAhead(to, from)) throw new Refusal('UNPROCESSABLE', `No commits between ${base} and ${head}`);
    const number = this.pulls.length + 1;
    const sets = { labels: new Set(), reviewers: new Set() };
    this.pulls.push({
      number,
      branch: head,
      base,
      head: undefined,
      state: 'OPEN',
      isDraft: draft,
      title,
      body,
      pushes: 0,
      ...sets,
    });
    this.sync();
    return this.pull(number);
  }

  askForReview(number, logins) {
    this.requireWriting();
    for (const login of logins) {
      const person = this.people.get(login);
      if (person === undefined || person.isBot)
        throw new Refusal('UNPROCESSABLE', 'Reviews may only be requested from collaborators.');
    }
    for (const login of logins) this.pull(number).reviewers.add(login);
  }

  /** Writing a label that is missing makes it, as on GitHub. */
  label(number, labels) {
    this.requireWriting();
    for (const label of labels) {
      this.labels.add(label);
      this.pull(number).labels.add(label);
    }
  }

  // What all of it is made of.

  /** Open pull requests follow their branches. */
  sync() {
    for (const pull of this.pulls.filter(({ state }) => state === 'OPEN')) {
      const head = this.git.headOf(pull.branch);
      if (head === undefined || head === pull.head) continue;
      Object.assign(pull, { head, pushes: pull.pushes + 1 });
      this.onPush(pull);
    }
  }

  pull(number) {
    const pull = this.pulls[number - 1];
    if (pull === undefined)
      throw new Refusal('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
    return pull;
  }

  threadOf(id) {
    const thread = this.threads.find((each) => each.id === id);
    if (thread === undefined)
      throw new Refusal('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'.`);
    return thread;
  }

  mergeableOf({ mergeable, state, base, head }) {
    if (mergeable !== undefined || state !== 'OPEN') return mergeable ?? 'UNKNOWN';
    const key = `${this.git.headOf(base)} ${head}`;
    if (!this.#mergeable.has(key)) this.#mergeable.set(key, this.git.mergeable(...key.split(' ')));
    return this.#mergeable.get(key);
  }

  permissionOf(login) {
    return this.people.get(login)?.permission ?? 'read';
  }

  get mayWrite() {
    return WRITING.has(this.permissionOf(this.account));
  }

  requireWriting() {
    if (!this.mayWrite) throw new Refusal('FORBIDDEN', 'Resource not accessible by personal access token');
  }

  urlOf(number) {
    return `https://github.com/${this.owner}/${this.name}/pull/${number}`;
  }

  id() {
    this.#ids += 1;
    return this.#ids;
  }

  /** A time of its own, each later than the one before. */
  instant() {
    return new Date(this.id() * 1000).toISOString();
  }
}

export function isRunning(state) {
  return state === 'pending' || state === 'queued';
}
