import { systemClock } from '../../adapters/clock/system.ts';
import { prepareLocks } from '../../adapters/store/kernel-lock.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { shortHashOf, withApproval } from '../../core/planning/approvals.ts';
import { approvedThrough, withApprovedThrough } from '../../core/planning/approved-through.ts';
import { withChoices } from '../../core/planning/choices.ts';
import { staleText } from '../../core/planning/document-text.ts';
import { withAcceptedReality } from '../../core/planning/reality-check.ts';
import { withoutRejections } from '../../core/planning/rejections.ts';
import { commandOf, documentsBefore } from '../../core/planning/steps.ts';
import { withDraftedScope } from '../../core/progress/scope.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError, WaitingError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { isNotReproduced, knownReality } from '../shell/reproduction.ts';
import { withLocks } from '../start/locks.ts';
import { requirePerson } from '../trust/trust.ts';
import { notifyElsewhere, planningHome } from '../worktree/home.ts';
import { checkDocument } from './check-document.ts';
import { committedPlan } from './committed-plan.ts';
import { documentsIn, type SpecDocument } from './documents.ts';
import { hashOf, readDocument } from './read-document.ts';
import { gitOf, personName, recordDecision } from './record-decision.ts';

/** What is to be approved, and whether as it is. */
export interface ApprovalOrder {
  /** Absent for all documents that wait for it. */
  readonly artifact?: Drafted | undefined;
  /** Although it was edited, what it was made from has changed, or the checks find an error (R-GATE-3). */
  readonly asIs?: boolean;
}

/** A document that is approved now. */
export interface Approved {
  readonly artifact: Drafted;
  readonly file: string;
  readonly hash: string;
  /** It was approved as it is before, so nothing was changed. */
  readonly wasApproved: boolean;
}

/**
 * Approves documents of a spec by their content and commits that (R-GATE-2 to R-GATE-4). Done again it changes nothing. Throws
 * `UserError` where there is nothing to approve, and `WaitingError` for what only `asIs` approves.
 */
export async function approve(start: SpecPlace, host: Host, order: ApprovalOrder): Promise<readonly Approved[]> {
  requirePerson(host.env);
  prepareLocks();
  const home = await planningHome(start, host);
  notifyElsewhere(home, host);
  const { place } = home;
  const { branch } = await gitOf(place, host).inspect({ dir: place.repository.root });
  return await withLocks({ place, branch: branch ?? '' }, async () => await approveHere(place, host, order));
}

/** The same for who holds the locks. */
export async function approveHere(
  place: SpecPlace,
  host: Host,
  { artifact, asIs = false, commits = true }: ApprovalOrder & { readonly commits?: boolean },
): Promise<readonly Approved[]> {
  const { documents, choices, progress, needed } = await documentsIn(place, host);
  const wanted = documents.filter((document) => isWanted(document, { artifact, needed }));
  const isUnseen = artifact === undefined && isNotReproduced(place);
  if (wanted.length === 0 && !isUnseen) throw nothingToApprove(place, artifact);
  for (const document of wanted) if (!asIs) await requireSound(place, host, { document, choices });
  const open = wanted.filter(({ state }) => state !== 'approved');
  const by = await personName(place, host);
  let text = withoutRejections(
    withChoices(progress, choices),
    wanted.map((one) => one.artifact),
  );
  if (isUnseen) text = withAcceptedReality(text, { by, at: systemClock.now() });
  if (isUnseen) host.notify('The planning goes on although the defect was not reproduced.');
  const research = open.some(({ artifact: name }) => name === 'research')
    ? readDocument(place.spec, 'research')
    : undefined;
  if (research?.is === 'text') text = withDraftedScope(text, research.text, hashOf);
  for (const document of open) {
    const inputs = documentsBefore(document.artifact).flatMap((name) => {
      const hash = documents.find((other) => other.artifact === name)?.sha256;
      return hash === undefined ? [] : [[name, shortHashOf(hash)] as const];
    });
    text = withApproval(text, {
      artifact: document.artifact,
      hash: shortHashOf(document.sha256 ?? ''),
      by,
      at: systemClock.now(),
      inputs: Object.fromEntries(inputs),
    });
  }
  const after = documents.filter((document) => document.state === 'approved' || open.includes(document));
  const through = approvedThrough(
    needed,
    after.map(({ artifact: name }) => name),
  );
  await recordDecision(place, host, {
    text: withApprovedThrough(text, through),
    before: progress,
    approved: open.map(({ file }) => file),
    subject: `approve ${[...(isUnseen ? ['the reality check'] : []), ...open.map((one) => one.artifact)].join(', ')}`,
    commits,
  });
  return wanted.map((document) => ({
    artifact: document.artifact,
    file: document.file,
    hash: shortHashOf(document.sha256 ?? ''),
    wasApproved: document.state === 'approved',
  }));
}

function isWanted(
  { artifact, state }: SpecDocument,
  wanted: { readonly artifact: Drafted | undefined; readonly needed: readonly Drafted[] },
): boolean {
  if (state === 'missing') return false;
  return wanted.artifact === undefined
    ? wanted.needed.includes(artifact) && state !== 'approved'
    : artifact === wanted.artifact;
}

function nothingToApprove({ spec: { name, operand } }: SpecPlace, artifact: Drafted | undefined): UserError {
  return artifact === undefined
    ? new UserError(`No document of ${name} waits for approval.`, `See "specloop status ${commandLine(operand)}".`)
    : new UserError(
        `${name} has no ${artifact} to approve.`,
        `Make it first: specloop ${commandOf(artifact)} ${commandLine(operand)}`,
      );
}

/**
 * A draft with findings is approved by a person who has seen them; what is stale or wrong only as it is (R-GATE-3). Throws
 * `WaitingError`.
 */
export async function requireSound(
  place: SpecPlace,
  host: Host,
  {
    document,
    choices,
  }: { readonly document: SpecDocument; readonly choices: Parameters<typeof checkDocument>[2]['choices'] },
): Promise<void> {
  const { artifact, file, isEdited, outdatedBy } = document;
  const name = commandLine(place.spec.operand);
  const asIs = `specloop approve ${name} ${artifact} --as-is`;
  if (isEdited || outdatedBy.length > 0)
    throw new WaitingError(
      staleText(document),
      `Approve it as it is: ${asIs}. Or make it again: specloop ${commandOf(artifact)} ${name}`,
    );
  const planBefore = artifact === 'tasks' ? await planBeforeOf(place, host) : undefined;
  const reproduction = knownReality(place)?.command;
  const problems = await checkDocument(place, host, { artifact, choices, planBefore, reproduction });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  throw new WaitingError(
    `${file} has errors:\n${errors.map(({ line, message }) => `  ${file}:${line}: ${message}`).join('\n')}`,
    `Correct them, or approve it as it is: ${asIs}`,
  );
}

/** The plan with the boxes that a run has ticked; where specs are not committed, only the plan itself has them. */
async function planBeforeOf(place: SpecPlace, host: Host): Promise<string | undefined> {
  if (place.loaded.settings.commitSpec) return await committedPlan(place, host);
  const plan = readDocument(place.spec, 'tasks');
  return plan.is === 'text' ? plan.text : undefined;
}
