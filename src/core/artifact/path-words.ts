import { spanText, tickSpans } from '../plan/read/code-spans.ts';

/** A file that a text names, with its place. */
export interface NamedPath {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const PATH = /^(?:~\/|\.{0,2}\/)?[\w@.+-]+(?:\/[\w@.+[\]()-]+)*\/?$/;
const EXTENSION = /[\w\])]\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const LINES_AFTER = /(?::\d+(?:[-–,]\d+)*|#L\d+(?:-L?\d+)?)$/;

/** Whether a text is the path of one file: with a folder, and a name with an ending. */
export function isFilePath(text: string): boolean {
  return text.length < 300 && text.includes('/') && PATH.test(text) && EXTENSION.test(text) && !isAddress(text);
}

/** The files that code spans of a line name. */
export function pathsInSpans(text: string, line: number): readonly NamedPath[] {
  if (!text.includes('`')) return [];
  return tickSpans(text, 0, text.length).flatMap((span) => {
    if (span.kind !== 'closed') return [];
    const path = spanText(text, span).trim().replace(LINES_AFTER, '').replace(/^\.\//, '');
    return isFilePath(path) ? [{ path, line, column: span.start + 1 }] : [];
  });
}

/** `example.com/a.html`: what is before the first slash is a host. */
function isAddress(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|io|dev|net|ai|sh|app)\//.test(text);
}
