import type { AgentEvent } from '../../core/agent/agent-event.ts';
import type { Role } from '../../core/agent/role.ts';
import type { Coverage } from '../../core/artifact/coverage.ts';
import type { PlanFormat } from '../../core/plan/format.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { Lane } from '../../core/run/data/lane.ts';
import type { CommitMessages } from '../../core/run/record/commit-message.ts';
import { pathInFolder, planPathOf, type SpecBooks } from '../../core/spec-files.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Drafting } from '../../ports/drafting.ts';
import type { Git, Tree } from '../../ports/git.ts';
import type { Hosting } from '../../ports/hosting.ts';
import type { Processes } from '../../ports/process.ts';
import type { RunFolder, SpecFiles } from '../../ports/store.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import type { Watch } from '../watch/watch.ts';
import type { HandedOver } from './handed-over.ts';
import type { ProgressKeeper } from './kept-progress.ts';
import type { Proofs } from './proofs.ts';
import type { StateKeeper } from './state-file.ts';
import type { TrustedPlan } from './trusted-plan.ts';

/**
 * What an effect has at hand: the ports, the rules, and the tree to work in. Effects call it `world` while that tree is the
 * user's, and `place` once it is the one that the attempt works in: for a member of a batch its worktree (`member.ts`).
 */
export interface World extends RunPorts, RunRules, OpenLane {}

/** What a run reaches the machine and its own records with. */
interface RunPorts {
  readonly git: Git;
  /** Tracked files of a tree that were written since an instant, in milliseconds since 1970, whatever is in them. */
  readonly rewritten: (tree: Tree, sinceMs: number) => Promise<readonly string[]>;
  /** Compares what judges the work around everything that others do here (R-VER-14). */
  readonly watch: Watch;
  /** The logs and records of the run. */
  readonly folder: RunFolder;
  readonly processes: Processes;
  /** The agent of a role, or the one of this name where the run has several. */
  readonly agentFor: (role: Role, name?: string) => Agent;
  readonly clock: Clock;
  /** What was proved of attempts that are to be recorded. */
  readonly proofs: Proofs;
  /** Where the repository is hosted; absent where it has no remote on a forge that is known (R-PR-7). */
  readonly hosting?: Hosting;
  /** Briefs of effects that were handed over, and the answers to them. */
  readonly handedOver: HandedOver;
  /** What is known of the documents of the spec; absent for a run of a plan (R-PLAN-2). */
  readonly drafting?: Drafting;
  /** Where members of a batch work (R-PAR-3). */
  readonly workspaces: Workspaces;
  /** Called when the agent of a task was seen to do something. */
  readonly onAgentEvent: (task: string, event: AgentEvent) => void;
  /** Patterns that keep our private files out of commits; returns what it had to add (R-FILE-8). */
  readonly ignorePrivateFiles: () => Promise<readonly string[]>;
  /** Renews the index of all specs, if the repository keeps one; resolves with its files, by path in the repository (R-ADV-3). */
  readonly renewIndex: () => Promise<readonly string[]>;
  /** How far requirements and criteria are proven by now; `undefined` for a spec without ids (R-TRACE-1). */
  readonly coverage: () => Promise<Coverage | undefined>;
  /** Puts an event into the journal while the effect is still under way, such as a hook that takes long. */
  readonly tell: (event: RunEvent) => void;
  /** Aborted when agents and commands have to stop. */
  readonly signal: AbortSignal;
  /** Aborted when the time limit of the run is reached. */
  readonly timeIsUp: AbortSignal;
}

/** What is decided before a run and stays as it is. */
interface RunRules {
  /** Limits of an attempt in a role (R-DEL-2). */
  readonly limitsFor: (role: Role) => AttemptLimits;
  readonly verifyTimeoutMs: number;
  /** Longest prompt of an agent (R-AGT-7). */
  readonly promptBytesMax: number;
  /** Folder in which agents and commands run, relative to the root of the tree they work in; empty for the root. */
  readonly workdir: string;
  /** The bash that Verify commands run in, found outside of the workspace (R-VER-14). */
  readonly shell: string;
  /** Environment of Verify commands (R-SEC-2). */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the user's variables that are not in it. */
  readonly withheld: readonly string[];
  /** Whether Verify commands reach the network, where they can be kept from it (R-SEC-3). */
  readonly commandNetwork: 'allow' | 'deny';
  /** Branch to make before the run, when it may not work where it is (R-START-2). */
  readonly newBranch?: string;
  /** Messages of the coordinator's own commits. */
  readonly commits: CommitMessages;
  /** Globs of files that no task may change. */
  readonly protect: readonly string[];
  /** Takes secrets out of what agents, commands and hooks print before it is read or becomes an event (R-SEC-2). */
  readonly redact: (text: string) => string;
  /** Words that count as an admission of failure (R-VER-2). */
  readonly admissions: readonly string[];
  /** Words that raise a doubt; without them the signs that are built in (R-VER-11). */
  readonly doubts?: readonly string[] | undefined;
}

/** The tree that is worked in, and what belongs to it. */
export interface OpenLane {
  /** Where the attempt works that the effect deals with; the user's tree for all other effects. */
  readonly lane: Lane;
  /** The user's working tree, on the run's branch, or the worktree of a member. */
  readonly tree: Tree;
  /** Branch of a member's worktree. */
  readonly ownBranch?: string;
  /** The spec, and its folder in this tree. */
  readonly spec: SpecFacts;
  readonly files: SpecFiles;
  /** The plan as the coordinator last wrote or accepted it. */
  readonly plan: TrustedPlan;
  /** Keeps `.ralph-state.json`, which a worktree has none of. */
  readonly stateFile: StateKeeper;
  /** Keeps what `.progress.md` of the user's tree says. */
  readonly progress: ProgressKeeper;
}

export interface SpecFacts extends SpecBooks {
  readonly name: string;
  readonly run: string;
  /** Absolute path of its folder. */
  readonly dir: string;
  /** How its plan is written. */
  readonly format: PlanFormat;
  /** Further documents of the tool that owns the plan, relative to the repository's root (R-DIA-5). */
  readonly context?: readonly string[] | undefined;
}

/** How long one attempt may take, and be silent. */
export interface AttemptLimits {
  readonly taskTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** What proves that a commit records a task: the id, and an attempt that names its run, so that no other text can stand for it (R-ADV-2). */
export function recordTrailers(
  { run }: Pick<SpecFacts, 'run'>,
  { id, attempt }: { readonly id: string; readonly attempt: number },
): Readonly<Record<string, string>> {
  return { 'Specloop-Task': id, 'Specloop-Attempt': `${run}/${attempt}` };
}

/** Absolute path of the folder in which agents and commands run, in the tree that is worked in. */
export function workFolder({ tree, workdir }: Pick<World, 'tree' | 'workdir'>): string {
  return workdir === '' ? tree.dir : `${tree.dir}/${workdir}`;
}

/** Name of the progress file that the task writes instead of the spec's, where it shares the tree (R-PAR-3). */
export function ownProgressFile({ lane }: Pick<World, 'lane'>): string | undefined {
  return lane.kind === 'shared' ? lane.progressFile : undefined;
}

/** Path of a spec file relative to the repository's root. */
export function specPath({ spec }: { readonly spec: Pick<SpecFacts, 'path'> }, file: string): string {
  return pathInFolder(spec.path, file);
}

/** Path of the progress file relative to the repository's root. */
export function progressPath({ spec }: { readonly spec: Pick<SpecFacts, 'path' | 'progressFile'> }): string {
  return pathInFolder(spec.path, spec.progressFile);
}

/** Path of the plan relative to the repository's root. */
export function planPath({ spec }: { readonly spec: Pick<SpecFacts, 'path' | 'format'> }): string {
  return planPathOf(spec);
}
