import { type HashOf, isPersonsScope, scopeLacks } from '../progress/scope.ts';
import type { DraftProblem } from './draft-problem.ts';

/** A drafted research, and the progress file that its scope goes to. */
export interface ScopeDraft {
  /** Path of the file, relative to the repository. */
  readonly file: string;
  readonly text: string;
  readonly progress: string;
}

/** What is wrong with a drafted research as the scope of its spec; nothing where a person wrote the scope (R-SCOPE-1). */
export function checkScopeDraft({ file, text, progress }: ScopeDraft, hashOf: HashOf): readonly DraftProblem[] {
  const lacks = scopeLacks(text);
  if (lacks === undefined || isPersonsScope(progress, hashOf)) return [];
  const at = { file, line: lineOfScope(text) };
  if ('section' in lacks)
    return [
      {
        ...at,
        // Without a scope nothing is out of scope: a person decides whether that will do.
        severity: 'warning',
        code: 'no-scope',
        message: 'No section with the scope.',
        hint: 'Add a heading "## Scope" with what the spec is to do and may change.',
      },
    ];
  if ('fields' in lacks)
    return [
      {
        ...at,
        severity: 'finding',
        code: 'scope-incomplete',
        message: `The scope does not say: ${lacks.fields.join(', ')}.`,
        hint: `Add list items such as "- **${lacks.fields[0]}**: …" to the section Scope.`,
      },
    ];
  return [
    {
      ...at,
      severity: 'warning',
      code: 'scope-without-path',
      message: 'Bounds of the scope names no path, so that files outside of it are not noticed.',
      hint: 'Name the files and folders that may change, each in a code span.',
    },
  ];
}

function lineOfScope(text: string): number {
  const at = text.split(/\r?\n/).findIndex((line) => /^##[ \t]+scope[ \t#:]*$/i.test(line));
  return at === -1 ? 1 : at + 1;
}
