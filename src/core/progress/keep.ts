import { mergeLearnings } from './merge.ts';

/**
 * The progress file as it has to be after someone worked on it (R-FILE-3, R-VER-3): every line of `known` is still
 * there, in its order, with what was added. Where one is gone, or the file itself (`undefined`), `known` comes back with the
 * learnings that were added; the others of its changes are dropped.
 */
export function keptProgress(known: string, found: string | undefined): string {
  return found !== undefined && holdsLines(found, known) ? found : mergeLearnings(known, found, known);
}

function holdsLines(whole: string, part: string): boolean {
  const wanted = linesOf(part);
  let next = 0;
  for (const line of linesOf(whole)) if (line === wanted[next]) next++;
  return next === wanted.length;
}

/** White space at the end of a line, and empty lines, say nothing. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
