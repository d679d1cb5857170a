import type { Spent } from '../agent/agent-end.ts';
import { oneLine } from './sanitise.ts';

const TITLE_CHARS_MAX = 80;
const SHORT_HASH_CHARS = 7;

/** A length of time for people: `0.8s`, `32s`, `4m12s`, `1h05m`. */
export function durationText(ms: number): string {
  if (ms < 10_000) return `${Math.floor(Math.max(0, ms) / 100) / 10}s`;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  if (minutes < 60) return `${minutes}m${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`;
}

/** `1 task`, `2 tasks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A task as people name it: id and title, harmless to show and of bounded length. */
export function taskName(task: { readonly id: string; readonly title: string }): string {
  return `${idText(task.id)} ${oneLine(task.title, TITLE_CHARS_MAX)}`.trim();
}

/** An id from the plan, harmless to show. */
export function idText(id: string): string {
  return oneLine(id, TITLE_CHARS_MAX);
}

/** A commit id, shortened as git does. */
export function shortHash(commit: string): string {
  return commit.slice(0, SHORT_HASH_CHARS);
}

/** What was spent: `0.42 USD (estimated), 12.3k tokens`; `undefined` when no agent told (R-DEL-8). */
export function spentText({ costUsd, tokens, isCostEstimated }: Spent): string | undefined {
  const parts = [
    ...(costUsd > 0 ? [`${costUsd.toFixed(2)} USD${isCostEstimated ? ' (estimated)' : ''}`] : []),
    ...(tokens > 0 ? [`${tokensText(tokens)} tokens`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
