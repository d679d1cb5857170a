import type { Drafted } from '../../core/plan/data/step.ts';
import type { PlannedDocument } from '../../core/planning/documents.ts';
import { FILE_OF } from '../../core/planning/steps.ts';
import type { Wanted } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { gateText } from '../../core/session/gate-text.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { comesNext } from '../planning/comes-next.ts';
import { documentsIn } from '../planning/documents.ts';
import { archiveOf, latestPlanning, latestRun } from '../run/runs.ts';

/** What a session is to do for a spec: its next document, what a person decides first, or to go on with its run. */
export type PlanningDue =
  | { readonly is: 'draft'; readonly artifact: Drafted }
  | { readonly is: 'decide'; readonly wants: Wanted; readonly message: string }
  /** `afterQuick`: no person was to look at the documents. */
  | { readonly is: 'go-on'; readonly afterQuick: boolean };

/** Finds out what planning comes to for a session (R-SES-1). Once tasks were run, they are what goes on. */
export async function planningDue(place: SpecPlace, host: Pick<Host, 'env'>): Promise<PlanningDue> {
  const archive = archiveOf(place);
  const latest = (await latestRun(archive))?.state;
  const planned = latest?.planning === undefined ? await latestPlanning(archive) : latest;
  const goOn: PlanningDue = {
    is: 'go-on',
    afterQuick: planned?.planning?.isQuick === true && planned.awaitsApproval === undefined,
  };
  if (latest !== undefined && latest.planning === undefined) return goOn;
  const next = await comesNext(place, host);
  switch (next.is) {
    case 'draft':
      return next;
    case 'revise':
      return { is: 'draft', artifact: next.artifact };
    case 'decide': {
      const document = await askedAbout(place, host, { latest, next: next.document });
      const { artifact, sha256 = '' } = document;
      const wants = { gate: { artifact, file: FILE_OF[artifact], sha256 } };
      return { is: 'decide', wants, message: gateText(latest, document, commandLine(place.spec.operand)) };
    }
    case 'resume':
    case 'implement':
      return goOn;
    default:
      return unreachable(next);
  }
}

/** The document that the newest run ended with, while it waits; else the first one that does. */
async function askedAbout(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  { latest, next }: { readonly latest: RunState | undefined; readonly next: PlannedDocument },
): Promise<PlannedDocument> {
  const key = latest?.awaitsApproval;
  const artifact = latest?.tasks.find((task) => task.key === key)?.step?.artifact;
  if (artifact === undefined || next.state === 'stale' || next.artifact === artifact) return next;
  const { documents } = await documentsIn(place, host);
  return documents.find((one) => one.artifact === artifact && one.state === 'draft') ?? next;
}
