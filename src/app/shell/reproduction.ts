import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import { PROGRESS_BYTES_MAX } from '../../adapters/store/spec-place.ts';
import type { GoalClass } from '../../core/planning/goal-class.ts';
import { type KnownReality, realityBefore } from '../../core/planning/reality-check.ts';
import { reproductionIn } from '../../core/planning/reproduction.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { WaitingError } from '../../core/user-error.ts';
import type { SpecPlace } from '../place.ts';
import type { Executable } from '../trust/trust.ts';
import { testsOfProject } from './test-command.ts';
import { workdirOf } from './workdir.ts';

/** What the progress file of a spec tells of its defect (R-BUG-1); `undefined` where nothing was run. */
export function knownReality({ spec }: Pick<SpecPlace, 'spec'>): KnownReality | undefined {
  const progress = readText(join(spec.dir, spec.progressFile), PROGRESS_BYTES_MAX);
  return progress === undefined ? undefined : realityBefore(progress);
}

/**
 * The command that has to show the defect before the documents of a bug fix are drafted; `undefined` for other goals, where it was
 * run already, and where there is none (R-BUG-1). Throws `WaitingError` where the defect was not seen, and no person goes on.
 */
export function dueReproduction(
  place: SpecPlace,
  { goal, goalClass }: { readonly goal: string; readonly goalClass: GoalClass },
): Executable | undefined {
  if (goalClass !== 'bug-fix') return undefined;
  const known = knownReality(place);
  const named = reproductionIn(goal);
  if (known !== undefined && (named === undefined || named === known.command)) {
    requireReproduced(place, known);
    return undefined;
  }
  return named === undefined ? testsOfProject(place, workdirOf(place)) : { command: named, from: 'the goal' };
}

/** Whether the defect of a bug fix was not seen, and no person goes on (R-BUG-1). */
export function isNotReproduced(place: Pick<SpecPlace, 'spec'>): boolean {
  const known = knownReality(place);
  return known !== undefined && !known.isReproduced && !known.isAccepted;
}

function requireReproduced({ spec }: SpecPlace, { command, isReproduced, isAccepted }: KnownReality): void {
  if (isReproduced || isAccepted) return;
  throw new WaitingError(
    `The defect was not reproduced by \`${command}\`.`,
    `To go on all the same: specloop approve ${commandLine(spec.operand)}. Or name another command, as a code span in the goal of the progress file.`,
  );
}

/** The command that has to pass once all tasks of a bug fix are done; its text comes from the progress file (R-BUG-1). */
export function reproductionAfter(place: Pick<SpecPlace, 'spec'>): Executable | undefined {
  const known = knownReality(place);
  return known && { command: known.command, from: `${place.spec.path}/${place.spec.progressFile}` };
}
