import type { Readers } from '../../core/verify/not-passed.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Processes } from '../../ports/process.ts';

/** Variables of the user's environment, by name; a name that ends in `*` stands for all that begin so. */
export interface AgentVariables {
  /** Those that the agent gets without being told (R-SEC-2). */
  readonly passed: readonly string[];
  /** Those that it does not get unless a person says so, and may miss. */
  readonly missed: readonly string[];
}

/** What an agent of one run is made from. */
export interface AgentOrder {
  /** Name on the `PATH` of `env`, or an absolute path. */
  readonly program: string;
  readonly processes: Processes;
  /** The whole environment that it gets, the variables of a brief aside. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: what the user's settings of the agent say. */
  readonly model?: string;
  /** More arguments of the user's, added as they are. One that says what it may do replaces ours. */
  readonly args?: readonly string[];
  /** Makes a UUID, another one at each call. */
  readonly newId: () => string;
}

/** Whether a program is signed in to its service, as far as it can be found out without using it. */
export type SignedIn = 'yes' | 'no' | 'unknown';

/**
 * Something that not every agent can: take a model, tell what it spent, keep to a budget, tell a usage limit or a denied
 * permission, take the tools of an attempt (R-AGT-9).
 */
export type Ability = 'model' | 'tokens' | 'cost' | 'budget' | 'limits' | 'denials' | 'tools';

/** What is known of an agent's program, and how it is asked about itself without starting any work (R-AGT-1). */
export interface AgentAbout {
  readonly can: readonly Ability[];
  /** What of that was never tried out with the real program; `all` for a program that was never run. */
  readonly untested: readonly (Ability | 'all')[];
  /** The oldest and the newest version that it was tried out with. */
  readonly tested?: { readonly from: string; readonly to: string };
  /** Variables one of which is enough to work. */
  readonly keys?: readonly string[];
  /** Arguments that ask whether it is signed in, and what its answer means; absent if it cannot be asked. */
  readonly signIn?: { readonly args: readonly string[]; readonly read: (answer: ProgramAnswer) => SignedIn };
  /** Arguments that print its help, and the option in it without which it does not work unattended. */
  readonly unattended?: { readonly args: readonly string[]; readonly option: string };
}

/** What a program answered to a question about itself. */
export interface ProgramAnswer {
  readonly code: number;
  readonly stdout: string;
}

/** A way to call agents: all that the rest of the program knows of one that has an adapter of its own (R-DEL-2). */
export interface AgentKind {
  /** What `--agent` takes. */
  readonly name: string;
  /** The program that people install. */
  readonly program: string;
  /** Whether it tells a usage limit from a failure, so that a run waits for its end (R-AGT-3). */
  readonly tellsLimits: boolean;
  readonly about: AgentAbout;
  /** What an agent of this kind may read in addition to what it is known to read, by what it or its tools are. */
  readonly readers?: readonly Readers[];
  variables(env: Readonly<Record<string, string | undefined>>): AgentVariables;
  make(order: AgentOrder): Agent;
}
