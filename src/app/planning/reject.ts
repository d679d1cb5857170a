import { systemClock } from '../../adapters/clock/system.ts';
import { prepareLocks } from '../../adapters/store/kernel-lock.ts';
import { readText } from '../../adapters/store/read-text.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { withoutApprovals } from '../../core/planning/approvals.ts';
import { approvedThrough, withApprovedThrough } from '../../core/planning/approved-through.ts';
import { withChoices } from '../../core/planning/choices.ts';
import { withRejection } from '../../core/planning/rejections.ts';
import { DOCUMENTS, stepFor } from '../../core/planning/steps.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import { agentSources } from '../agents/agent-choice.ts';
import { chosenAgents } from '../agents/agents.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { withLocks } from '../start/locks.ts';
import { requirePerson } from '../trust/trust.ts';
import { planningHome } from '../worktree/home.ts';
import { documentsIn } from './documents.ts';
import { gitOf, personName, recordDecision } from './record-decision.ts';

const FEEDBACK_BYTES_MAX = 64 * 1024;

/** What a person wants changed in a document. */
export interface RejectionOrder {
  readonly artifact: Drafted;
  readonly feedback: string;
}

/**
 * Sends a document back to its author: what a person wants changed is in the progress file until it is recorded again, and its
 * approval and those of all later ones are taken back (R-GATE-3). Throws `UserError` where the spec is in use.
 */
export async function reject(start: SpecPlace, host: Host, order: RejectionOrder): Promise<void> {
  requirePerson(host.env);
  prepareLocks();
  const { place } = await planningHome(start, host);
  const { branch } = await gitOf(place, host).inspect({ dir: place.repository.root });
  await withLocks({ place, branch: branch ?? '' }, async () => await rejectHere(place, host, order));
}

async function rejectHere(place: SpecPlace, host: Host, { artifact, feedback }: RejectionOrder): Promise<void> {
  const { documents, needed, progress, choices } = await documentsIn(place, host);
  const later = DOCUMENTS.slice(DOCUMENTS.indexOf(artifact));
  const left = documents.filter((document) => document.state === 'approved' && !later.includes(document.artifact));
  const through = approvedThrough(
    needed,
    left.map(({ artifact: name }) => name),
  );
  await recordDecision(place, host, {
    text: withRejection(withApprovedThrough(withoutApprovals(withChoices(progress, choices), later), through), {
      artifact,
      feedback,
      by: await personName(place, host),
      at: systemClock.now(),
    }),
    before: progress,
    subject: `reject ${artifact}`,
    commits: true,
  });
}

/** The document that a person means to have changed: the named one, else the newest that is there. Throws `UserError`. */
export async function documentToReject(start: SpecPlace, host: Host, named: Drafted | undefined): Promise<Drafted> {
  const { place } = await planningHome(start, host);
  const { documents } = await documentsIn(place, host);
  const there = documents.filter(({ state }) => state !== 'missing').map(({ artifact }) => artifact);
  const found = named === undefined ? there.at(-1) : there.find((artifact) => artifact === named);
  if (found !== undefined) return found;
  const { name, operand } = place.spec;
  throw new UserError(
    named === undefined ? `${name} has no document yet.` : `${name} has no document "${named}".`,
    there.length === 0 ? `Make the first one: specloop start ${commandLine(operand)}` : `It has ${there.join(', ')}.`,
  );
}

/** The words of a person in a file. Throws `UserError` for one that is missing or no text. */
export function readFeedback(path: string): string {
  const text = readText(path, FEEDBACK_BYTES_MAX);
  if (text === undefined) throw new UserError(`There is no file "${path}".`, 'Name a file that exists.');
  return text;
}

/** Whether an agent is set that drafts the document. Throws `UserError` for a name of an agent that is not known. */
export function hasAuthor(place: SpecPlace, artifact: Drafted): boolean {
  return chosenAgents(agentSources(place))[stepFor(artifact, true).role] !== undefined;
}
