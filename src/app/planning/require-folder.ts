import { planPathOf } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import type { SpecPlace } from '../place.ts';

/** Requires a spec with a folder, where documents can be drafted. Throws `UserError` for a plan that is a single file. */
export function requireFolder({ spec }: Pick<SpecPlace, 'spec'>): void {
  if (!spec.isSingleFile) return;
  throw new UserError(
    `${planPathOf(spec)} is a single file, and documents are drafted in the folder of a spec.`,
    `Run it as it is (specloop implement ${commandLine(spec.operand)}), or make a spec: specloop new ${spec.name} "GOAL".`,
  );
}
