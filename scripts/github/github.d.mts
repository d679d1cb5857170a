/**
 * A scripted GitHub, which the real `gh` talks to: a model of one repository, people and CI that act on it, and a server.
 * For tests and demonstrations; it reaches no network.
 */

/** Absolute path of a bare repository, and what somebody pushes to it. */
export class BareRepository {
  readonly dir: string;
  constructor(dir: string);
  static create(dir: string): BareRepository;
  headOf(branch: string): string | undefined;
  /** Pushes a commit with these files, by their paths; the branch is made from `main` if it is missing. Returns the commit. */
  push(branch: string, files: Readonly<Record<string, string>>, message: string): string;
}

export interface Person {
  /** Default `write`. */
  readonly permission?: 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';
  readonly isBot?: boolean;
  /** Default `MEMBER`. */
  readonly association?: string;
}

/** A name as `CI / build` is a job, which has a log and can be run again; any other is a status. */
export interface CheckReport {
  readonly state: 'pending' | 'queued' | 'passed' | 'skipped' | 'failed' | 'cut-off';
  /** Default `true`. */
  readonly isRequired?: boolean;
  readonly log?: string;
  readonly title?: string;
  /** What it reports after it was run again; the same as before if absent. */
  readonly rerun?: CheckReport['state'];
}

export interface ThreadReport {
  readonly by: string;
  readonly body: string;
  readonly path?: string;
  readonly line?: number;
  readonly hunk?: string;
  /** Part of a review that its author has not submitted. */
  readonly isPending?: boolean;
}

export interface ReviewReport {
  readonly by: string;
  readonly opinion: 'approves' | 'asks-for-changes' | 'comments';
  readonly body?: string;
}

/** How the next requests fail: an HTTP status, 0 for a connection that breaks, or a limit that ends after `seconds`. */
export interface Failure {
  readonly status?: number;
  /** It is carried out, and the connection breaks before the answer. */
  readonly isAnswerLost?: boolean;
  readonly limit?: 'primary' | 'secondary';
  readonly seconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** Default 1. */
  readonly times?: number;
  /** Only requests with this in `METHOD /path`, or in `POST /graphql NameOfTheQuery`. */
  readonly on?: string;
}

export interface PullRequestRecord {
  readonly number: number;
  readonly branch: string;
  readonly head: string;
  readonly base: string;
  readonly state: 'OPEN' | 'CLOSED' | 'MERGED';
  readonly isDraft: boolean;
  readonly title: string;
  readonly body: string;
  readonly labels: ReadonlySet<string>;
  readonly reviewers: ReadonlySet<string>;
  /** How many heads it has had. */
  readonly pushes: number;
}

export interface PullRequestChange {
  readonly state?: PullRequestRecord['state'];
  readonly base?: string;
  readonly isDraft?: boolean;
  /** Without it git decides. */
  readonly mergeable?: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN';
  readonly isCrossRepository?: boolean;
}

export interface CommentRecord {
  readonly id: string;
  readonly by: string;
  body: string;
}

export class GitHubModel {
  /** `gitDir` is a bare repository; `repository` is `acme/app` and `account` `robot` if absent. */
  constructor(options: {
    readonly gitDir: string;
    readonly repository?: string;
    readonly account?: string;
    readonly permission?: Person['permission'];
  });
  readonly git: BareRepository;
  readonly account: string;
  readonly labels: Set<string>;
  /** Names of jobs (`build` of `CI / build`) and statuses that are required: by the protection of each branch, and by its rules. */
  readonly required: Set<string>;
  readonly ruled: Set<string>;
  readonly templates: string[];
  isSignedOut: boolean;
  readonly pulls: readonly PullRequestRecord[];
  readonly threads: readonly {
    readonly id: string;
    readonly isResolved: boolean;
    readonly comments: readonly CommentRecord[];
  }[];
  readonly comments: readonly (CommentRecord & { readonly number: number })[];
  /** The account opens a pull request. */
  open(wanted: {
    readonly title: string;
    readonly body?: string;
    readonly head: string;
    readonly base: string;
    readonly draft?: boolean;
  }): PullRequestRecord;
  check(commit: string, name: string, report: CheckReport): void;
  person(login: string, person?: Person): void;
  /** Returns its id. */
  thread(number: number, thread: ThreadReport): string;
  reply(thread: string, by: string, body: string): CommentRecord;
  resolve(thread: string): void;
  /** Returns its id. */
  review(number: number, review: ReviewReport): string;
  comment(number: number, by: string, body: string): CommentRecord;
  change(number: number, change: PullRequestChange): void;
  merge(number: number): void;
  failNext(failure: Failure): void;
  threadOf(id: string): { readonly isResolved: boolean; readonly comments: readonly CommentRecord[] };
}

/** What CI and people do after the pull request got its n-th head, the one it was opened with being the first. */
export interface ScenarioStep {
  /** 0: before there is a pull request, for `permission`, `isSignedOut` and `failures`. */
  readonly afterPush: number;
  /** How often its checks were asked for since then. Default 0. */
  readonly afterLooks?: number;
  readonly checks?: Readonly<Record<string, ScenarioCheck>>;
  /** By names, which later steps know them by. */
  readonly threads?: Readonly<Record<string, ThreadReport>>;
  readonly replies?: readonly { readonly thread: string; readonly by: string; readonly body: string }[];
  readonly edits?: readonly { readonly thread: string; readonly body: string }[];
  readonly resolved?: readonly string[];
  readonly reviews?: readonly ReviewReport[];
  readonly comments?: readonly { readonly by: string; readonly body: string }[];
  readonly change?: PullRequestChange;
  readonly isMerged?: boolean;
  /** To the branch of the pull request if none is named. */
  readonly push?: {
    readonly branch?: string;
    readonly files: Readonly<Record<string, string>>;
    readonly message?: string;
  };
  /** What the account may do from now on. */
  readonly permission?: Person['permission'];
  readonly isSignedOut?: boolean;
  readonly failures?: readonly Failure[];
}

export interface ScenarioCheck extends CheckReport {
  /** For how many looks it is pending. */
  readonly pendingLooks?: number;
}

export interface Scenario {
  readonly people?: Readonly<Record<string, Person>>;
  readonly labels?: readonly string[];
  /** Names of jobs and statuses that are required, also where they never begin. */
  readonly required?: readonly string[];
  /** The template of pull requests. */
  readonly template?: string;
  /** What CI reports of each push that no step reports of. */
  readonly checks?: Readonly<Record<string, ScenarioCheck>>;
  /** For how many looks each check is pending. Default 0. */
  readonly pendingLooks?: number;
  readonly steps?: readonly ScenarioStep[];
}

/** Has CI and people act on a model as a scenario says. */
export function play(model: GitHubModel, scenario: Scenario): void;

export const scenarios: Readonly<Record<string, Scenario>>;

export interface ServedGitHub {
  /** What makes a `gh` use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Every request so far, as `POST /graphql Checks` or `GET /repos/acme/app/labels/spec`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Serves a model on a Unix socket. `dir` is an empty folder of its own, with a short absolute path. */
export function serveGitHub(model: GitHubModel, dir: string): Promise<ServedGitHub>;
