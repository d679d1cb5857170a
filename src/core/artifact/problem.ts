import { ARTIFACTS, type ArtifactName } from './artifact-text.ts';
import { PROBLEM_KINDS, type ProblemCode, type ProblemKind, type ProblemSeverity } from './problem-kinds.ts';

/** Something that a person or a planner should know about an artifact (R-PLAN-5). */
export interface ArtifactProblem {
  readonly severity: ProblemSeverity;
  /** Stable name, kebab-case. */
  readonly code: string;
  readonly artifact: ArtifactName;
  /** Path of the file, as people are told it. */
  readonly file: string;
  /** Line and column count from 1. */
  readonly line: number;
  readonly column: number;
  /** One sentence, ends with a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** The id or path that it is about, where a spec may have many problems of the kind. */
  readonly subject?: string;
}

/** Where a problem is. */
export interface ProblemPlace {
  readonly artifact: Pick<{ readonly name: ArtifactName; readonly file: string }, 'name' | 'file'>;
  readonly line: number;
  readonly column?: number;
}

type Values = Readonly<Record<string, string | number>>;

/** A problem of a known kind: its texts with the values in them. */
export function problemOf(
  code: ProblemCode,
  place: ProblemPlace,
  values: Values = {},
  subject?: string,
): ArtifactProblem {
  const { severity, message, hint }: ProblemKind = PROBLEM_KINDS[code];
  const { artifact, line, column = 1 } = place;
  const about = subject === undefined ? {} : { subject };
  const texts = { message: filled(message, values), hint: filled(hint, values) };
  return { severity, code, artifact: artifact.name, file: artifact.file, line, column, ...texts, ...about };
}

/** What says many problems of one kind at once; `undefined` for a kind that is told one by one. */
export function manyText(code: string, values: Values): string | undefined {
  const kind = Object.entries<ProblemKind>(PROBLEM_KINDS).find(([name]) => name === code)?.[1];
  return kind?.many === undefined ? undefined : filled(kind.many, values);
}

/** The order of problems: by artifact, then by place, then by code. The same for the same spec. */
export function inProblemOrder(problems: readonly ArtifactProblem[]): readonly ArtifactProblem[] {
  const rank = ({ artifact }: ArtifactProblem) => ARTIFACTS.indexOf(artifact);
  return [...problems].sort(
    (left, right) =>
      rank(left) - rank(right) ||
      left.line - right.line ||
      left.column - right.column ||
      compareTexts(left.code, right.code) ||
      compareTexts(left.message, right.message),
  );
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function filled(text: string, values: Values): string {
  return text.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : String(value);
  });
}
