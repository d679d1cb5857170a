import type { Role } from '../../src/core/run/role.ts';
import { parsePlan } from '../../src/core/spec/parse.ts';
import type { Plan } from '../../src/core/spec/task.ts';
import type { AgentEnd } from '../../src/ports/agent.ts';
import { MemoryClock } from '../../src/testing/memory-clock.ts';
import { memoryHands } from '../../src/testing/memory-hands.ts';
import { MemoryRepository, type MemoryTree } from '../../src/testing/memory-repository.ts';
import type { MemoryRunStore } from '../../src/testing/memory-runs.ts';
import { putFile, removePath } from '../../src/testing/memory-tree.ts';
import type { DeedName } from './deeds.ts';
import type { Calls } from './gate.ts';
import type { Scenario } from './scenario.ts';

export const ROOT = '/repo';
export const SPEC = 'specs/demo';
export const BRANCH = 'feat/demo';
export const TASKS = `${SPEC}/tasks.md`;
export const PROGRESS = `${SPEC}/.progress.md`;
export const STATE = `${SPEC}/.ralph-state.json`;

/** One process of an agent, as it really was: what the coordinator can only guess. */
export interface AgentCall {
  readonly number: number;
  readonly dir: string;
  readonly run: string;
  readonly role: Role;
  readonly task: string;
  readonly attempt: number;
  readonly deed: DeedName;
  readonly isSound: boolean;
  /** Steps it has not taken yet: should its coordinator die, it may still take them. */
  left: (() => void)[];
  /** Absent while it runs, or when it was killed. */
  how?: AgentEnd;
}

/** Everything that outlives a coordinator, and the truth about what its agents did. */
export class World {
  readonly scenario: Scenario;
  readonly clock = new MemoryClock('2026-11-27T08:00:00.000Z');
  readonly repository: MemoryRepository;
  readonly runs: MemoryRunStore = new Map();
  readonly calls: Calls = [];
  readonly agentCalls: AgentCall[] = [];
  /** What agents made for their tasks: the last text that each left in its file. */
  readonly made = new Map<AgentCall, string>();
  /** Agents that run. */
  readonly living = new Set<AgentCall>();
  /** Promises that were broken. */
  readonly violations: string[] = [];
  /** The newest commit before any run. */
  readonly start: string;
  readonly plan: Plan;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.plan = parsePlan(scenario.plan);
    const spec = { [TASKS]: scenario.plan, [`${SPEC}/design.md`]: 'The design.\n' };
    this.repository = new MemoryRepository(ROOT, {
      branch: BRANCH,
      files: {
        'README.md': 'hello\n',
        'src/a.ts': 'a\n',
        '.gitignore': '*.log\n',
        ...(scenario.specCommitted ? spec : {}),
      },
    });
    for (const [path, text] of Object.entries(spec)) putFile(this.tree.files, path, text);
    if (scenario.stateText !== undefined) putFile(this.tree.files, STATE, scenario.stateText);
    this.repository.excludes.add('.ralph-state.json*');
    this.repository.hook = ({ files }) =>
      [...files.values()].some((text) => text.includes('FORBIDDEN')) ? 'FORBIDDEN is forbidden.' : undefined;
    for (const { path, text, staged } of scenario.dirty) {
      if (text === undefined) removePath(this.tree.files, path);
      else putFile(this.tree.files, path, text);
      if (staged) memoryHands(this.repository, ROOT).stage([path]);
    }
    this.start = this.repository.headOf(this.tree) ?? '';
  }

  /** The user's working tree. */
  get tree(): MemoryTree {
    return this.repository.tree(ROOT);
  }

  /** The commit that the run's branch stands at. */
  get tip(): string {
    return this.repository.refs.get(`refs/heads/${BRANCH}`) ?? '';
  }

  /** The plan as a commit holds it; one without tasks if it holds none. */
  planAt(commit: string): Plan {
    return readPlan(this.repository.commits.get(commit)?.files.get(TASKS) ?? '');
  }

  violated(invariant: string, what: string): void {
    this.violations.push(`${invariant}: ${what}`);
  }

  /** Ends what a dead coordinator left running; until then it may have gone on. */
  reap(): void {
    for (const call of this.living) call.left.shift()?.();
    this.living.clear();
  }
}

const plans = new Map<string, Plan>();

/** Reads a plan, each text once. */
export function readPlan(text: string): Plan {
  const known = plans.get(text);
  if (known) return known;
  if (plans.size > 2_000) plans.clear();
  const plan = parsePlan(text);
  plans.set(text, plan);
  return plan;
}
