import type { Sources } from '../config/load.ts';
import type { Role } from '../core/agent/role.ts';
import type { Coverage } from '../core/artifact/coverage.ts';
import type { AskedQuestion } from '../core/run/questions.ts';
import { specKey } from '../core/spec-files.ts';
import type { Probed } from '../core/verify/probe.ts';
import type { TaskEvidence } from '../core/view/record/evidence.ts';
import type { Finding } from './doctor/finding.ts';
import { knownSpec } from './find-spec.ts';
import type { Host } from './host.ts';
import { findPlace, type SpecPlace } from './place.ts';
import { answerQuestion, openQuestions } from './run/answers.ts';
import { type CancelOptions, cancelRun } from './run/cancel.ts';
import { type RunHandle, startRunning } from './run/run-handle.ts';
import { evidenceOf } from './run/runs.ts';
import type { StepOptions, StepOutcome } from './run/step.ts';
import { coverageIn } from './spec/coverage.ts';
import { type ListedSpec, specsOf } from './spec/specs.ts';
import { type LiveStatus, statusOf } from './spec/status.ts';
import type { StartOptions } from './start/order.ts';
import type { ProbeOptions } from './validate/probe.ts';

/** A repository with specs, as its folder, settings and environment make it. */
export interface Project {
  /** Absolute path of the repository's root; of the folder itself where it is in no repository. */
  readonly root: string;
  /** All specs with their progress. */
  specs(): Promise<readonly ListedSpec[]>;
  /** The spec of this name; without one the active one, or the only one. Throws `UserError` if there is none (R-START-1). */
  spec(name?: string): Promise<Spec>;
  /** Looks at everything that a run depends on, and tries out what can be tried. Runs nothing of the repository. */
  doctor(): Promise<readonly Finding[]>;
}

/** A spec of a project. */
export interface Spec {
  readonly name: string;
  /** Path of its folder, or of its plan where that is a single file, relative to the root of the project. */
  readonly path: string;
  /** What is done of it, and what goes on. Changes nothing. Throws `UserError` for a plan that cannot be read. */
  status(): Promise<LiveStatus>;
  /** What every attempt at a task claimed, and what was measured, in the newest run that began it (R-VER-9). Throws `UserError`. */
  evidence(task: string): Promise<TaskEvidence>;
  /** How each requirement and criterion is followed to the command and commit that proved it (R-TRACE-1). Throws `UserError`. */
  coverage(): Promise<Coverage>;
  /** What an agent would be told at its next attempt at a task; `role` is by default the one that gets it (R-AGT-7). Throws `UserError`. */
  prompt(task: string, role?: Role): Promise<string>;
  /**
   * Runs the Verify command of each open task once, in a worktree that is thrown away, to see what it says before the work
   * (R-PROBE-1). Throws `UserError`, also where the commands are not trusted.
   */
  probe(options?: ProbeOptions): Promise<readonly Probed[]>;
  /** Starts its run, or takes up the one that was interrupted. The handle reports what is wrong. */
  start(options?: StartOptions): RunHandle;
  /**
   * Goes on with its run up to the next work for an agent, and hands that over: for a program that runs the agents itself,
   * in one process or in several. Throws `UserError` for what a person has to put right first.
   */
  step(options?: StepOptions): Promise<StepOutcome>;
  /** Takes the final answer to work that a step handed over, checks and records it, and goes on as a step does. Throws `UserError`. */
  report(token: string, answer: string, options?: Omit<StepOptions, 'driver' | 'takeOver'>): Promise<StepOutcome>;
  /** The questions that its planning waits for (R-ASK-3). */
  questions(): Promise<readonly AskedQuestion[]>;
  /**
   * Answers the question of a task, or one of those that its planning waits for, by its id; the next start goes on with it
   * (R-AGT-6, R-ASK-2). Resolves with the command line that starts it. Throws `UserError` if no such question waits, and for words
   * that decide nothing.
   */
  answer(task: string, answer: string): Promise<string>;
  /** Stops its run, whichever process is its coordinator, and waits for the end. Resolves with whether there was one. Throws `UserError`. */
  cancel(options?: CancelOptions): Promise<boolean>;
}

/** How a project is opened. */
export interface ProjectOptions extends Partial<Omit<Host, 'cwd'>> {
  /**
   * Settings that win over all others, by their names in the config file; values as on the command line, such as
   * `{ agent: 'claude', maxTaskIterations: '3' }`.
   */
  readonly settings?: Sources['flags'];
}

/**
 * Opens the project that a folder is part of. Throws `UserError` for settings that make no sense, for a repository that cannot
 * be worked in, and without git.
 */
export async function openProject(cwd: string, { settings, ...options }: ProjectOptions = {}): Promise<Project> {
  const host: Host = { env: process.env, notify: () => {}, ...options, cwd };
  const place = await findPlace(host, settings);
  return {
    root: place.roots.repository,
    specs: () => specsOf(place, host),
    async spec(name) {
      return specOf(await knownSpec(place, host, name), host, settings);
    },
    doctor: async () => await (await import('./doctor/examine.ts')).examine(host),
  };
}

function specOf(place: SpecPlace, host: Host, settings: Sources['flags']): Spec {
  const { name, operand } = place.spec;
  return {
    name,
    path: specKey(place.spec),
    status: () => statusOf(place, host),
    evidence: (task) => evidenceOf(place, task),
    coverage: () => coverageIn(place, host),
    prompt: async (task, role) => await (await import('./prompt.ts')).promptOf(place, host, { task, role }),
    probe: async (options) => await (await import('./validate/probe.ts')).probe(place, host, options),
    start: (options) => startRunning(host, { ...options, spec: operand, settings }),
    step: async (options) => await (await import('./run/step.ts')).step(place, host, { ...options, settings }),
    report: async (token, answer, options) =>
      await (await import('./run/step.ts')).report(place, host, { ...options, settings, token, answer }),
    questions: () => openQuestions(place, host),
    answer: async (task, answer) => (await answerQuestion(place, host, { task, answer })).command,
    cancel: (options) => cancelRun(place, host, options),
  };
}
