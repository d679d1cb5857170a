import type { AgentEnd } from '../../ports/agent.ts';
import type { AgentVerdict } from './ending.ts';
import { lastWords, sentence } from './printed.ts';

/** Signs by which an agent's own report of an error is known; one that fits is enough. */
export interface ErrorClass {
  readonly how: AgentEnd;
  /** Names that the program gives an error. */
  readonly names?: readonly string[];
  /** HTTP statuses of the model's service. */
  readonly statuses?: readonly number[] | 'server-error';
  /** Only where a program has no field for it; compared with its final error message, never with what a model said. */
  readonly words?: RegExp;
  /** What the user can do about it. */
  readonly advice?: string;
}

/** What a program says of the error that ended its work. */
export interface ReportedError {
  readonly names?: readonly (string | undefined)[];
  readonly status?: number | undefined;
  /** Its final error message. */
  readonly words: string;
}

/** The first class that fits counts; `undefined` if none does, which is a failed attempt (R-DEL-7). */
export function classOf(error: ReportedError, classes: readonly ErrorClass[]): ErrorClass | undefined {
  return classes.find(
    ({ names = [], statuses = [], words }) =>
      (error.names?.some((name) => name !== undefined && names.includes(name)) ?? false) ||
      isOneOf(error.status, statuses) ||
      (words?.test(error.words.trim()) ?? false),
  );
}

/** The verdict on an error, with the agent's words and what mends it (R-AGT-4). */
export function judgeError(error: ReportedError, classes: readonly ErrorClass[]): AgentVerdict {
  const found = classOf(error, classes);
  const message = [sentence(`The agent reports: ${lastWords(error.words)}`), found?.advice].filter(Boolean).join(' ');
  return { how: found?.how ?? 'failed', message };
}

function isOneOf(status: number | undefined, statuses: readonly number[] | 'server-error'): boolean {
  if (status === undefined) return false;
  return statuses === 'server-error' ? status >= 500 && status < 600 : statuses.includes(status);
}
