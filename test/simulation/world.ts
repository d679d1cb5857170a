import type { Role } from '../../src/core/agent/role.ts';
import type { Dialect } from '../../src/core/plan/data/dialect.ts';
import type { Plan, Task } from '../../src/core/plan/data/task.ts';
import { formatOf } from '../../src/core/plan/dialects/formats.ts';
import type { AgentEnd } from '../../src/ports/agent.ts';
import { MemoryClock } from '../memory/clock.ts';
import { memoryHands } from '../memory/hands.ts';
import { MemoryRepository, type MemoryTree } from '../memory/repository.ts';
import { copyOfRuns, type MemoryRunStore } from '../memory/runs.ts';
import { putFile, removePath } from '../memory/tree.ts';
import type { DeedName } from './deeds.ts';
import type { Calls } from './gate.ts';
import { hooksOf } from './hooks.ts';
import { Hosted } from './hosted/hosted.ts';
import type { Scenario } from './scenario.ts';

export const ROOT = '/repo';
export const SPEC = 'specs/demo';
export const DEFAULT_BRANCH = 'main';
export const TASKS = `${SPEC}/tasks.md`;
export const DESIGN = `${SPEC}/design.md`;
export const PROGRESS = `${SPEC}/.progress.md`;
/** A file of the project that no task names, and no user changes. */
export const TRACKED = 'src/lib.ts';
export const STATE = `${SPEC}/.ralph-state.json`;

/** One process of an agent, as it really was: what the coordinator can only guess. */
export interface AgentCall {
  readonly number: number;
  /** Which start of the coordinator started it. */
  readonly start: number;
  readonly dir: string;
  readonly run: string;
  readonly role: Role;
  readonly task: Task;
  readonly attempt: number;
  /** Which answer on this task it is to give, from 1. */
  readonly nth: number;
  readonly deed: DeedName;
  isSound: boolean;
  /** Steps it has taken: should its coordinator die, it may still take another one. */
  steps: number;
  isAlive: boolean;
  /** Its driver was taken over before it had reported. */
  isOvertaken?: true;
  /** The last text that it left in the file of its task. */
  made?: string;
  /** Absent while it runs, or when it was killed. */
  how?: AgentEnd;
}

/** A process that outlives its agent. */
export interface Lurking {
  readonly call: number;
  readonly path: string;
  readonly text: string;
}

/** Everything that outlives a coordinator, and the truth about what its agents did. */
export class World {
  readonly scenario: Scenario;
  readonly clock: MemoryClock;
  readonly repository: MemoryRepository;
  readonly runs: MemoryRunStore;
  readonly calls: Calls;
  readonly agentCalls: AgentCall[];
  /** What a person wrote while agents were at work elsewhere. */
  readonly personal: Map<string, string>;
  /** Lines that a person wrote into the plan while no agent was at work. */
  readonly planned: string[];
  /** What the coordinator itself wrote last. */
  readonly written: Map<string, string>;
  /** By path, the text that a Verify command passed with last and left as it was. */
  readonly proved: Map<string, string>;
  /** Processes that an agent left: by the tree they are in, what they write once work there was proved. */
  readonly lurking: Map<string, Lurking>;
  /** Commits that came as far as the hooks. */
  commitsTried: number;
  /** Whether a person has put right what refused commits. */
  isMended: boolean;
  /** Promises that were broken. */
  readonly violations: string[];
  /** The newest commit before any run. */
  readonly first: string;
  readonly plan: Plan;
  /** The other side of the remote, and the forge. */
  readonly hosted: Hosted | undefined;
  /** Starts of a coordinator so far, and those that a person still makes after a run that stopped for good. */
  starts: number;
  reruns: number;
  /** The session that has an answer to hand in. */
  reportedBy: string | undefined;
  /** Tokens whose answers were handed in. */
  readonly oldTokens: Set<string>;
  private tokens: number;
  /** How often a start was refused until a person had put right what an agent had made wrong. */
  asked: number;

  constructor(scenario: Scenario, from?: World) {
    this.scenario = scenario;
    this.plan = readPlan(scenario.plan, scenario.dialect);
    this.clock = new MemoryClock(from?.clock.now() ?? '2026-11-27T08:00:00.000Z');
    this.repository = from?.repository.copy() ?? repositoryFor(scenario);
    this.runs = copyOfRuns(from?.runs ?? new Map());
    this.calls = (from?.calls ?? []).map((call) => ({ ...call }));
    this.agentCalls = (from?.agentCalls ?? []).map((call) => ({ ...call }));
    this.personal = new Map(from?.personal);
    this.planned = [...(from?.planned ?? [])];
    this.written = new Map(from?.written);
    this.proved = new Map(from?.proved);
    this.lurking = new Map(from?.lurking);
    this.commitsTried = from?.commitsTried ?? 0;
    this.isMended = from?.isMended ?? false;
    this.violations = [...(from?.violations ?? [])];
    this.repository.hook = scenario.isWithoutHooks ? undefined : hooksOf(this);
    this.first = from?.first ?? this.tip;
    const { hosted } = scenario;
    this.hosted = hosted && new Hosted(hosted, { repository: this.repository, from: from?.hosted });
    this.starts = from?.starts ?? 0;
    this.asked = from?.asked ?? 0;
    this.reruns = from?.reruns ?? scenario.reruns;
    this.tokens = from?.tokens ?? 0;
    this.reportedBy = from?.reportedBy;
    this.oldTokens = new Set(from?.oldTokens);
  }

  /** A token that no coordinator has used. */
  newToken(): string {
    this.tokens += 1;
    return `token-${this.tokens}`;
  }

  /** A world of its own that is as this one is now. */
  fork(): World {
    return new World(this.scenario, this);
  }

  /** Agents that run. */
  get living(): readonly AgentCall[] {
    return this.agentCalls.filter(({ isAlive }) => isAlive);
  }

  /** The user's working tree. */
  get tree(): MemoryTree {
    return this.repository.tree(ROOT);
  }

  /** The run's branch; before there is one, that of the tree. */
  get branch(): string {
    for (const { envelopes } of [...this.runs.values()].reverse()) {
      for (const { event } of envelopes) if (event.type === 'run-prepared') return event.branch;
    }
    return 'branch' in this.tree.head ? this.tree.head.branch : '';
  }

  /** The commit that the run's branch stands at. */
  get tip(): string {
    return this.repository.refs.get(`refs/heads/${this.branch}`) ?? '';
  }

  /** The plan as a commit holds it; one without tasks if it holds none. */
  planAt(commit: string): Plan {
    return readPlan(this.repository.commits.get(commit)?.files.get(TASKS) ?? '', this.scenario.dialect);
  }

  /** What an agent made for a task turned out to be such that it must not be recorded. */
  spoil(path: string): void {
    const call = this.agentCalls.findLast(({ task, role }) => role !== 'reviewer' && path === `work/${task.id}.txt`);
    if (call) call.isSound = false;
  }

  violated(invariant: string, what: string): void {
    this.violations.push(`${invariant}: ${what}`);
  }
}

/** The user's hooks and settings. */
export const GIT_FILES = {
  '.git/config': '[user]\n\tname = me\n',
  '.git/hooks/pre-commit': '#!/bin/sh\n',
} as const;

function repositoryFor(scenario: Scenario): MemoryRepository {
  const spec = { [TASKS]: scenario.plan, [DESIGN]: 'The design.\n' };
  const files = { 'README.md': 'hello\n', 'src/a.ts': 'a\n', [TRACKED]: 'lib\n', '.gitignore': '*.log\n' };
  const committed = scenario.specCommitted ? { ...files, ...spec } : files;
  const repository = new MemoryRepository(ROOT, {
    branch: scenario.onDefaultBranch ? DEFAULT_BRANCH : 'feat/demo',
    files,
  });
  for (const [path, text] of Object.entries(committed)) putFile(repository.tree(ROOT).files, path, text);
  memoryHands(repository, ROOT).commitAll('second');
  const { files: tree } = repository.tree(ROOT);
  for (const [path, text] of Object.entries(spec)) putFile(tree, path, text);
  if (scenario.stateText !== undefined) putFile(tree, STATE, scenario.stateText);
  for (const [path, text] of Object.entries(GIT_FILES)) repository.gitFiles.set(path, text);
  const precious = repository.add({ parent: undefined, text: 'precious\n', files: new Map() }).id;
  repository.refs.set('refs/heads/precious', precious);
  repository.stash = [{ commit: precious, message: 'my idea' }];
  repository.excludes.add('.ralph-state.json*');
  repository.excludes.add('.research-*.md');
  for (const { path, text, staged } of scenario.dirty) {
    if (text === undefined) removePath(tree, path);
    else putFile(tree, path, text);
    if (staged) memoryHands(repository, ROOT).stage([path]);
  }
  return repository;
}

const plans = new Map<string, Plan>();

/** Reads a plan, each text once. */
export function readPlan(text: string, dialect: Dialect = 'ralph-specum'): Plan {
  const name = `${dialect} ${text}`;
  const known = plans.get(name);
  if (known) return known;
  if (plans.size > 2_000) plans.clear();
  const plan = formatOf(dialect).parse(text);
  plans.set(name, plan);
  return plan;
}
