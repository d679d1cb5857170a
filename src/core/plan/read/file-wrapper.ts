import type { Fence } from './fences.ts';
import { isBlankLine, type Lines } from './lines.ts';

/** First and last line of the fence around a whole file. */
export interface Wrapper {
  readonly open: number;
  readonly close: number;
}

/** The one fence that runs from the first to the last line with text, if there is one (R-READ-3). */
export function findWrapper(lines: Lines, fences: readonly Fence[]): Wrapper | undefined {
  const fence = fences[0];
  const last = fences.at(-1);
  if (fence === undefined || last === undefined || fence === last || !closes(last, fence)) return undefined;
  for (let line = 0; line < fence.line; line++) if (!isBlankLine(lines, line)) return undefined;
  for (let line = last.line + 1; line < lines.count; line++) if (!isBlankLine(lines, line)) return undefined;
  const inner = fences.slice(1, -1);
  const isWrapper = !inner.some((other) => closes(other, fence)) || (isMarkdown(fence) && pairUp(inner));
  return isWrapper ? { open: fence.line, close: last.line } : undefined;
}

function closes(other: Fence, fence: Fence): boolean {
  return other.bare && other.mark === fence.mark && other.length >= fence.length;
}

function isMarkdown(fence: Fence): boolean {
  return fence.language === 'markdown' || fence.language === 'md';
}

/** A Markdown wrapper may have as few marks as the fences in it, if those pair up among themselves. */
function pairUp(fences: readonly Fence[]): boolean {
  let open: Fence | undefined;
  for (const fence of fences) {
    if (open === undefined) open = fence;
    else if (closes(fence, open)) open = undefined;
  }
  return open === undefined;
}
