import type { Writable } from 'node:stream';
import { DIALECTS } from '../../core/plan/data/dialect.ts';

/** Something that text is printed on; with `isTTY` a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where a command runs; handed in, so that a test can look on. */
export interface Surroundings {
  /** Absolute path of the folder it acts in: `--cwd`, or where it was started. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** An option of a command. */
export interface Option {
  /** As `--max-cost`. */
  readonly flag: string;
  /** What stands for its value in help; a switch has none. */
  readonly placeholder?: string;
  /** One line of help. */
  readonly summary: string;
  /** Heading in help under which it is; absent for the common one. */
  readonly group?: string;
  /** It may be given several times. */
  readonly repeats?: true;
  /** `--no-…` switches it off. */
  readonly negatable?: true;
}

/** An argument of a command that is no option. */
export interface Operand {
  readonly name: string;
  readonly summary: string;
  /** It may not be left out. */
  readonly isRequired?: true;
}

export type OptionValue = string | boolean | readonly string[];

/** One use of a command. */
export interface Call extends Surroundings {
  /** Those that were given, in their order. */
  readonly operands: readonly string[];
  /** Those that were given, by their flag. */
  readonly options: ReadonlyMap<string, OptionValue>;
}

/** What a command is: everything that help, the parser and the reference say of it comes from here. */
export interface Command {
  readonly operands: readonly Operand[];
  readonly options: readonly Option[];
  /** Command lines after `specloop`, with what they are for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  /** More than the summary, where there is more to say. */
  readonly details?: string;
  /** Resolves with the exit code (R-UX-4). What it throws is told and coded by `exit.ts`. */
  readonly run: (call: Call) => Promise<number>;
}

/** A command as the list of commands knows it: the rest is loaded when it is asked for. */
export interface ListedCommand {
  readonly name: string;
  /** One line of help. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Prints data for a program on stdout instead of sentences for people. */
export const jsonOption: Option = { flag: '--json', summary: 'Print JSON on stdout.' };

/** Says how plans are written, where that cannot be found, or is found wrongly (R-DIA-3). */
export const dialectOption: Option = {
  flag: '--dialect',
  placeholder: ['auto', ...DIALECTS].join('|'),
  summary: 'How the plan is written. Default: found by its place and content.',
};

/** The operand of every command that acts on one spec. */
export const specOperand: Operand = {
  name: 'SPEC',
  summary: 'Name of the spec, or path of its folder or plan. Default: the active one.',
};

export function isSet(call: Call, flag: string): boolean {
  return call.options.get(flag) === true;
}

/** The value of an option that takes one; `undefined` if it was not given. */
export function optionText(call: Call, flag: string): string | undefined {
  const value = call.options.get(flag);
  return typeof value === 'string' ? value : undefined;
}
