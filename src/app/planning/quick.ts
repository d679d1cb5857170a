import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { currentSpecFile } from '../../adapters/store/spec-roots.ts';
import type { StatedChoices } from '../../core/planning/choices.ts';
import { listSteps } from '../../core/planning/list-steps.ts';
import type { TreeBefore } from '../../core/planning/planning-facts.ts';
import { isOfSpec, isPrivate, STATE_FILE } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { WaitingError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { documentsIn, type SpecDocuments } from './documents.ts';
import { measuredBefore } from './measures.ts';
import { planningFacts } from './planning-facts.ts';
import type { PlanningOrder, PlanningOutcome } from './planning-order.ts';
import { researchAdvisesAgainst } from './read-document.ts';
import { startPlanning } from './start-planning.ts';
import { topicsOf } from './topics-of.ts';

const BYTES_MAX = 10_000;

/** How all documents of a spec are to be drafted at once. */
export interface QuickOrder extends Omit<PlanningOrder, 'list' | 'make' | 'isNew'> {
  readonly goal: string;
  readonly choices: StatedChoices;
  /** Stop for a person once all are there. */
  readonly planOnly: boolean;
  readonly make: (place: SpecPlace) => Promise<void>;
}

/**
 * Drafts all documents that a goal needs, without a gate but the last one of `planOnly`. A failure takes away what was made
 * (R-PLAN-3). Takes up a run that was interrupted. Throws `UserError` and `HaltedRun`.
 */
export async function draftAll(start: SpecPlace, host: Host, order: QuickOrder): Promise<PlanningOutcome> {
  return await startPlanning(start, host, {
    ...order,
    isNew: true,
    list: async (place) => {
      const found = await documentsIn(place, host, { stated: order.choices, newGoal: order.goal });
      const { documents, needed, choices } = found;
      requireVerdictDecided(place, found);
      const steps = listSteps({
        spec: place.spec.name,
        needed,
        there: documents.filter(({ state }) => state !== 'missing').map(({ artifact }) => artifact),
        gates: order.planOnly ? 'final' : 'none',
        ...(await topicsOf(place, host, choices)),
      });
      return {
        steps,
        planning: {
          ...planningFacts(place, { ...found, measured: await measuredBefore(place) }),
          isQuick: true,
          ...(await beforeRun(place, host)),
        },
        choices,
      };
    },
    make: order.make,
  });
}

/** No one passes a verdict against the goal by giving the same command again (R-STOP-1). */
function requireVerdictDecided({ spec }: SpecPlace, { documents }: SpecDocuments): void {
  const research = documents.find(({ artifact }) => artifact === 'research');
  if (research === undefined || research.state === 'missing' || research.state === 'approved') return;
  if (!researchAdvisesAgainst(spec)) return;
  throw new WaitingError(
    `The verdict of ${spec.path}/${research.file} is: do not build this.`,
    `To go on all the same, approve it (specloop approve ${commandLine(spec.operand)} research), then run the command again.`,
  );
}

async function beforeRun(
  { repository: { root }, spec, roots }: SpecPlace,
  { env }: Host,
): Promise<{ readonly before?: TreeBefore }> {
  const { branch, head, changes } = await gitCli({ root, env }).inspect({ dir: root });
  if (branch === undefined || head === undefined) return {};
  const paths = changes.map(({ path }) => path);
  // With a state file next to it, the progress file is from a start that was cut off before its first event.
  const made = existsSync(join(spec.dir, STATE_FILE)) ? `${spec.path}/${spec.progressFile}` : undefined;
  const uncommitted = paths.filter((path) => isOfSpec(path, spec) && !isPrivate(path) && path !== made);
  const currentSpec = readText(currentSpecFile(roots), BYTES_MAX);
  return { before: { branch, head, uncommitted, ...(currentSpec === undefined ? {} : { currentSpec }) } };
}
