import type { MeasuredCommand, ProjectCommand } from '../../core/planning/project-commands.ts';
import { measuredOf } from '../../core/run/measurement.ts';
import { commandLine } from '../../core/text/command-line.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, latestPlanning } from '../run/runs.ts';
import type { Site } from '../start/site.ts';
import { untrustedOf } from '../trust/trust.ts';
import { projectCommandsOf } from './facts.ts';
import type { PlannedSteps } from './planned-steps.ts';

/** What the quality commands did when the spec was researched; `undefined` before that. Throws `JournalDamaged`. */
export async function measuredBefore(place: SpecPlace): Promise<readonly MeasuredCommand[] | undefined> {
  const state = await latestPlanning(archiveOf(place));
  const measured = state === undefined ? [] : measuredOf(state);
  return measured.length === 0 ? undefined : measured;
}

/** The quality commands that are due: for a run that researches, once (R-PLAN-2). */
export async function dueMeasures(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  { steps, planning }: Pick<PlannedSteps, 'steps' | 'planning'>,
): Promise<readonly ProjectCommand[]> {
  const researches = steps.some(({ step, isDone }) => step.artifact === 'research' && !isDone);
  if (!researches || planning.measured !== undefined || !place.loaded.settings.measure) return [];
  return await projectCommandsOf(place, host);
}

/** Those that are trusted here; the others are named in a notice, as no document needs them (R-SEC-1). */
export async function trustedMeasures(
  { place, madeFrom, host }: Site,
  commands: readonly ProjectCommand[],
): Promise<readonly ProjectCommand[]> {
  const untrusted = await untrustedOf({ place, madeFrom, commands: commands.map(({ command }) => command) }, host);
  if (untrusted.size > 0)
    host.notify(
      `Not run for the research, as you have not trusted them here: ${[...untrusted].map((one) => commandLine(one)).join(', ')}. With --trust they are.`,
    );
  return commands.filter(({ command }) => !untrusted.has(command));
}
