import { tickSpans } from '../plan/read/code-spans.ts';
import { lineText, splitLines } from '../plan/read/lines.ts';
import { readVisibility } from '../plan/read/visibility.ts';
import { DESIGN_FILE, REQUIREMENTS_FILE, RESEARCH_FILE } from '../spec-files.ts';

/** The artifacts of a spec, in the order they are made and shown. */
export const ARTIFACTS = ['research', 'requirements', 'design', 'tasks'] as const;

export type ArtifactName = (typeof ARTIFACTS)[number];

/** The artifacts that are no plan, with the names of their files in the folder of a spec. */
export const DOCUMENT_FILES: readonly (readonly [ArtifactName, string])[] = [
  ['research', RESEARCH_FILE],
  ['requirements', REQUIREMENTS_FILE],
  ['design', DESIGN_FILE],
];

/** The artifact that a path means by the name of its file; `undefined` for a plan, or any other file. */
export function artifactOfFile(path: string): ArtifactName | undefined {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return DOCUMENT_FILES.find(([, name]) => name === file)?.[0];
}

/** An artifact as it was read, cut into what acts (R-PLAN-5). Lines and columns count from 1. */
export interface ArtifactText {
  readonly name: ArtifactName;
  /** How people are told of it: its path. */
  readonly file: string;
  readonly text: string;
  /** Each line of the file. What is in fences, comments and front matter is blank, so that columns stay. */
  readonly lines: readonly string[];
  /** The same without what is in code spans. */
  readonly prose: readonly string[];
  readonly frontMatter: ReadonlyMap<string, string>;
}

const COMMENT = /<!--.*?-->/g;
const COMMENT_BEGINS = /<!--.*$/;
const FRONT_MATTER_LINES_MAX = 100;

/** Reads any text of an artifact. */
export function readArtifact(name: ArtifactName, file: string, text: string): ArtifactText {
  const cut = splitLines(text);
  const { kinds } = readVisibility(cut);
  const raw = Array.from({ length: cut.count }, (_, line) => lineText(cut, line));
  const head = frontMatterEnd(raw);
  const lines = raw.map((line, at) => {
    if (at < head || kinds[at] !== 'text') return '';
    const shown = line.includes('<!--') ? line.replace(COMMENT, blank) : line;
    return kinds[at + 1] === 'comment' ? shown.replace(COMMENT_BEGINS, blank) : shown;
  });
  return { name, file, text, lines, prose: lines.map(withoutSpans), frontMatter: fieldsOf(raw.slice(1, head)) };
}

/** The number of lines that the front matter takes, its marks included; 0 without one. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  const end = lines.slice(1, FRONT_MATTER_LINES_MAX).findIndex((line) => line.trimEnd() === '---');
  return end < 0 ? 0 : end + 2;
}

function fieldsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const at = line.indexOf(':');
      const value = line
        .slice(at + 1)
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2');
      return at > 0 ? [[line.slice(0, at).trim().toLowerCase(), value] as const] : [];
    }),
  );
}

/** The line with blanks in the place of its code spans. */
function withoutSpans(line: string): string {
  if (!line.includes('`')) return line;
  let shown = line;
  for (const span of tickSpans(line, 0, line.length)) {
    if (span.kind === 'closed')
      shown = shown.slice(0, span.start) + ' '.repeat(span.end - span.start) + shown.slice(span.end);
  }
  return shown;
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}
