import { AGENT_KINDS } from '../../adapters/agent/agent-kinds.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { Policy } from '../../core/policy.ts';
import { dialectNotes } from '../../core/view/dialect-notes.ts';
import { planNotes } from '../../core/view/plan-notes.ts';
import type { Host } from '../host.ts';
import { checklistNotes } from '../validate/open-checklists.ts';
import type { Ready } from './ready.ts';

/** What a person should know of the plan before it is run; the steps of planning say nothing by themselves. */
export function notesOf({ drafts, place: { spec } }: Ready, plan: Plan, policy: Policy): readonly string[] {
  if (drafts !== undefined) return [];
  return [...dialectNotes(plan, policy, spec), ...checklistNotes(spec), ...planNotes(plan)];
}

/** Without a command for the tests of the project there is no gate (R-START-7). */
export function mentionMissingTests({ facts, host, place, drafts }: Ready): void {
  if (place.loaded.settings.baseline && facts.testCommand === undefined && drafts === undefined)
    host.notify('No test command was found: the regression gate is off. Set testCommand to turn it on.');
}

/** Said with the first run of a spec; `doctor` says it always. */
export function mentionOnce(ready: Ready): void {
  mentionNode(ready.host);
  mentionLimits(ready);
}

function mentionNode({ notify }: Host): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 22) notify(`Node ${major} no longer gets security fixes; Node 22 or 24 is recommended.`);
}

/** Of which agents it is known that they met a usage limit (R-AGT-3). */
function mentionLimits({ host, agents }: Ready): void {
  if (agents === undefined || Object.values(agents).every(({ kind }) => kind.tellsLimits)) return;
  const telling = AGENT_KINDS.filter(({ tellsLimits }) => tellsLimits).map(({ name }) => name);
  host.notify(
    `Usage limits are detected only with --agent ${telling.join(', ')}; other programs have to report them in SPECLOOP_REPORT_FILE, else they count as failed attempts.`,
  );
}
