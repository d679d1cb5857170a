import type { AgentEnd } from '../../ports/agent.ts';
import type { Ended, NotStarted } from '../../ports/process.ts';
import { lastWords, sentence } from './printed.ts';

/** How an attempt ended, and why in one sentence for people. */
export interface AgentVerdict {
  readonly how: AgentEnd;
  readonly message: string;
  /** When a usage limit ends, ISO 8601 in UTC. */
  readonly resetsAt?: string;
}

/** The words for a program that did not leave by itself. */
export interface Attempted {
  /** The program as the user named it. */
  readonly program: string;
  readonly limits: { readonly wallMs: number; readonly idleMs: number };
}

/**
 * Judges how a program ended (R-DEL-7). What we did to it takes precedence over whatever it printed; only if it left by
 * itself does `onExit` judge its exit code.
 */
export function judge(ended: Ended, attempted: Attempted, onExit: (code: number) => AgentVerdict): AgentVerdict {
  switch (ended.how) {
    case 'exited':
      return onExit(ended.code);
    case 'not-started':
      return notStarted(ended.reason, ended.message, attempted.program);
    case 'killed':
      return ended.by === 'signal'
        ? { how: 'crashed', message: `The agent was killed by ${ended.signal}.` }
        : stopped(ended.by, attempted);
  }
}

/** Judges by the exit code alone: 0 is an answer, all else a failed attempt with the program's last words on stderr. */
export function judgeExitCode(code: number, stderr: string): AgentVerdict {
  if (code === 0) return { how: 'completed', message: '' };
  const words = lastWords(stderr);
  return { how: 'failed', message: sentence(`The agent exited with code ${code}${words && `: ${words}`}`) };
}

function stopped(by: 'wall-timeout' | 'idle-timeout' | 'cancel', { limits }: Attempted): AgentVerdict {
  switch (by) {
    case 'wall-timeout':
      return { how: 'timed-out', message: `The agent was stopped at its time limit of ${seconds(limits.wallMs)}.` };
    case 'idle-timeout':
      return {
        how: 'silent',
        message: `The agent was stopped because it printed nothing for ${seconds(limits.idleMs)}.`,
      };
    case 'cancel':
      return { how: 'cancelled', message: 'The agent was stopped.' };
  }
}

function notStarted(reason: NotStarted, message: string, program: string): AgentVerdict {
  switch (reason) {
    case 'not-found':
      return {
        how: 'not-found',
        message: `The agent's program "${program}" was not found. Install it or correct its name.`,
      };
    case 'not-permitted':
      return {
        how: 'not-found',
        message: `The agent's program "${program}" may not be executed. Check its permissions.`,
      };
    case 'argument-too-long':
      return {
        how: 'not-found',
        message: `The command line of the agent "${program}" is too long for this system. Shorten it.`,
      };
    case 'cancelled':
      return { how: 'cancelled', message: 'The agent was stopped before it started.' };
    case 'no-resources':
      return { how: 'not-found', message };
    case 'failed':
      return { how: 'crashed', message: `The agent "${program}" could not be started: ${message}` };
  }
}

/** `1.5 s`: limits are given in milliseconds and read in seconds. */
function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
