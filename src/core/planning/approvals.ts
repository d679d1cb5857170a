import type { Drafted } from '../plan/data/step.ts';
import { appendToSection, findSection, lineEndAt, sectionBody } from '../progress/sections.ts';
import { oneLine } from '../text/sanitise.ts';
import { DOCUMENTS } from './steps.ts';

/** Characters of a content's hash that an approval names. */
const HASH_CHARS = 12;
const NAME_CHARS_MAX = 80;
const SECTION = 'Approvals';

/** That a person approved a document, by its content (R-GATE-2). */
export interface Approval {
  readonly artifact: Drafted;
  /** The first characters of the hash of its content. */
  readonly hash: string;
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The documents before it as they were then, by their hashes. */
  readonly inputs: Readonly<Partial<Record<Drafted, string>>>;
}

const LINE =
  /^- (research|requirements|design|tasks) ([0-9a-f]{12}) by (.*?) at (\d{4}-\d\d-\d\dT[\d:.]+Z)(?: \(from (.*)\))?[ \t]*$/;

/** The newest approval of each document that a progress file tells of (R-GATE-4). */
export function approvalsIn(progress: string): ReadonlyMap<Drafted, Approval> {
  const found = sectionBody(progress, SECTION)
    .split(/\r?\n/)
    .flatMap((line) => approvalOf(line) ?? []);
  return new Map(found.map((approval) => [approval.artifact, approval]));
}

function approvalOf(line: string): Approval | undefined {
  const [, artifact, hash, by, at, from = ''] = LINE.exec(line) ?? [];
  if (artifact === undefined || hash === undefined || by === undefined || at === undefined) return undefined;
  const inputs = [...from.matchAll(/(research|requirements|design|tasks) ([0-9a-f]{12})/g)].map(
    ([, name, input]) => [name, input] as const,
  );
  return { artifact: artifact as Drafted, hash, by, at, inputs: Object.fromEntries(inputs) };
}

/** The progress file with an approval in it, in place of an earlier one of the same document (R-GATE-4). */
export function withApproval(progress: string, approval: Approval): string {
  const { artifact, hash, by, at, inputs } = approval;
  const from = DOCUMENTS.flatMap((name) => (inputs[name] === undefined ? [] : [`${name} ${inputs[name]}`]));
  const basis = from.length === 0 ? '' : ` (from ${from.join(', ')})`;
  const line = `- ${artifact} ${hash} by ${oneLine(by, NAME_CHARS_MAX)} at ${at}${basis}`;
  return appendToSection(withoutApprovals(progress, [artifact]), SECTION, [line]);
}

/** The progress file without the approvals of these documents. */
export function withoutApprovals(progress: string, artifacts: readonly Drafted[]): string {
  const section = findSection(progress, SECTION);
  if (section === undefined) return progress;
  let kept = '';
  for (let at = section.bodyStart; at < section.end; ) {
    const end = Math.min(lineEndAt(progress, at), section.end);
    const line = progress.slice(at, end);
    const approval = approvalOf(line.replace(/\r?\n$/, ''));
    if (approval === undefined || !artifacts.includes(approval.artifact)) kept += line;
    at = end;
  }
  return progress.slice(0, section.bodyStart) + kept + progress.slice(section.end);
}

/** The hash of a content as an approval names it. */
export function shortHashOf(sha256: string): string {
  return sha256.slice(0, HASH_CHARS);
}
