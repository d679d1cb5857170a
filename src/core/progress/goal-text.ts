import { sanitise } from '../text/sanitise.ts';

/** Headings of these levels would end the section of the goal, or be taken for the title of the file. */
const LEVELS_OF_FILE = 2;
const LEVEL_MAX = 6;
const HEADING = /^(#{1,6})(?=\s|$)/;
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;

/**
 * A goal as its section of the progress file keeps it: read from there it is the same again, whatever headings and code it
 * holds (R-PLAN-1). Headings become deeper ones, and a code block that is never closed is closed.
 */
export function goalText(given: string): string {
  const { lines, open } = linesOf(sanitise(given).trim());
  const isDeep = lines.every(({ level }) => level === 0 || level > LEVELS_OF_FILE);
  const kept = lines.map(({ line, level }) =>
    isDeep || level === 0 ? line : '#'.repeat(Math.min(level + LEVELS_OF_FILE, LEVEL_MAX)) + line.slice(level),
  );
  return [...kept, ...(open === undefined ? [] : [open])].join('\n');
}

/** The lines with the levels of their headings, 0 for none, and the mark of a code block that is never closed. */
function linesOf(text: string): {
  readonly lines: readonly { readonly line: string; readonly level: number }[];
  readonly open: string | undefined;
} {
  let open: string | undefined;
  const lines = text.split('\n').map((line) => {
    const [, mark, rest = ''] = FENCE.exec(line) ?? [];
    const level = open === undefined ? (HEADING.exec(line)?.[1]?.length ?? 0) : 0;
    if (open === undefined) open = mark;
    else if (mark?.startsWith(open) && rest.trim() === '') open = undefined;
    return { line, level };
  });
  return { lines, open };
}
