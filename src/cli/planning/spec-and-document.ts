import type { Drafted } from '../../core/plan/data/step.ts';
import { DOCUMENTS } from '../../core/planning/steps.ts';
import { UserError } from '../../core/user-error.ts';

/** The operands `[SPEC] [PHASE]`: one that names a document alone means the active spec. Throws `UserError`. */
export function specAndDocument(operands: readonly string[]): {
  readonly spec: string | undefined;
  readonly artifact: Drafted | undefined;
} {
  const [first, second] = operands;
  const documentOf = (word: string | undefined) => DOCUMENTS.find((name) => name === word);
  if (second === undefined) {
    const artifact = documentOf(first);
    return artifact === undefined ? { spec: first, artifact } : { spec: undefined, artifact };
  }
  const artifact = documentOf(second);
  if (artifact !== undefined) return { spec: first, artifact };
  throw new UserError(`"${second}" is no document of a spec.`, `Name one of ${DOCUMENTS.join(', ')}, or none.`);
}
