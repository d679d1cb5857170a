import type { Envelope } from '../../run/data/event.ts';
import { driverText } from '../../run/driver.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';
import { counted, durationText, spentText, taskName } from '../../text/words.ts';
import { unreachable } from '../../unreachable.ts';
import type { Evidence, VerifyRun } from '../../verify/evidence.ts';
import type { LayerResult } from '../../verify/judge.ts';
import {
  type AttemptEvidence,
  type ClaimEvidence,
  type LifecycleEvidence,
  type TaskEvidence,
  taskEvidence,
} from './evidence.ts';

type AcceptedOutcome = Extract<AttemptEvidence['outcome'], { is: 'accepted' }>;

const LINE_CHARS_MAX = 500;
const FILES_MAX = 50;

/** The record of one task in Markdown, from the envelopes of a run; `undefined` if it was not begun in it (R-VER-9). */
export function taskRecord(envelopes: Iterable<Envelope>, key: string): string | undefined {
  const evidence = taskEvidence(envelopes, key);
  return evidence && recordText(evidence);
}

/**
 * The record of one task in Markdown: what was claimed, what was measured, what each layer said, and why each attempt was
 * accepted or rejected (R-VER-9). What agents and commands printed is in fences and is neutralised (R-SEC-2).
 */
export function recordText(evidence: TaskEvidence): string {
  const { spec, run, commit, attempts, lifecycle } = evidence;
  return `${[
    `# Task ${taskName(evidence)}`,
    `Spec ${shown(spec)}, run ${shown(run)}. ${commit === undefined ? 'Not done.' : `Done in commit ${commit}.`}`,
    ...attempts.flatMap(attemptParts),
    ...(lifecycle ? lifecycleParts(lifecycle) : []),
  ].join('\n\n')}\n`;
}

/** What the pull request was like when the task was ticked (R-PR-9). */
function lifecycleParts({ at, url, head, passed, command, output = '' }: LifecycleEvidence): readonly string[] {
  return [
    `Done with the pull request ${shown(url)} at ${at}, as pushed at ${head}.`,
    `Checks that passed: ${passed.length === 0 ? 'none, as there were none' : passed.map((name) => shown(name)).join(', ')}. No comment was open.`,
    ...(command === undefined ? [] : [`Verify: \`${shown(command)}\`, exit code 0.`]),
    ...(output.trim() === '' ? [] : [fenced(output)]),
  ];
}

function attemptParts(attempt: AttemptEvidence): readonly string[] {
  const { role, base, beganAt, elsewhere, claimed, measured, layers, kept, notes } = attempt;
  return [
    `## Attempt ${attempt.attempt}: ${headline(attempt)}`,
    `Begun by the ${role} at ${beganAt} on ${base}.`,
    ...(elsewhere ? [elsewherePart(elsewhere)] : []),
    ...(claimed ? claimedParts(claimed) : []),
    ...(measured ? measuredParts(measured) : []),
    ...(layers.length > 0 ? [`Layers:\n\n${layers.map(layerLine).join('\n')}`] : []),
    ...reasonParts(attempt),
    ...(notes.length > 0 ? [notes.map((note) => `- ${shown(note)}`).join('\n')] : []),
    ...(kept === undefined ? [] : [`The work is kept under \`${shown(kept)}\`.`]),
  ];
}

/** Whose process it was, and how its answer came (R-SES-3). */
function elsewherePart({ driver, answer }: NonNullable<AttemptEvidence['elsewhere']>): string {
  const who = shown(driverText(driver));
  const how = answer === 'helper' ? ' Its answer came from the helper itself.' : ` Its answer was relayed by ${who}.`;
  return `Run by ${who}: specloop did not contain its process.${answer === undefined ? '' : how}`;
}

function headline({ outcome }: AttemptEvidence): string {
  switch (outcome.is) {
    case 'under-way':
      return 'under way';
    case 'accepted':
      return acceptedAs(outcome).join(', ');
    case 'split':
      return 'split';
    case 'rejected':
      return outcome.layer === 'agent' ? 'failed' : `rejected at ${outcome.layer}`;
    case 'not-counted':
      return 'not counted';
    default:
      return unreachable(outcome);
  }
}

/** The status of accepted work, in words: more than one when its proof lacks something too. */
function acceptedAs({ review, remarks = [] }: AcceptedOutcome): readonly string[] {
  return [review ?? 'accepted', ...remarks.map(({ word }) => word)];
}

const CLAIMS: Readonly<Record<ClaimEvidence['signal'], string>> = {
  positive: 'completion',
  negative: 'failure',
  none: 'nothing',
};

function claimedParts({ how, message, signal, excerpt, durationMs, usage }: ClaimEvidence): readonly string[] {
  const { costUsd = 0, inputTokens = 0, outputTokens = 0, isCostEstimated } = usage;
  const spent = spentText({
    costUsd,
    tokens: inputTokens + outputTokens,
    ...(isCostEstimated && { isCostEstimated }),
  });
  const end = how === 'completed' ? `Claimed: ${CLAIMS[signal]}` : `The agent ${how}`;
  const after = ` after ${durationText(durationMs)}${spent === undefined ? '' : `, ${spent}`}.`;
  return [
    `${end}${after}${message === '' ? '' : ` ${shown(message)}`}`,
    ...(excerpt.trim() === '' ? [] : ['The end of its answer:', fenced(excerpt)]),
  ];
}

function measuredParts({ repository, changedFiles, changedFilesTotal, concerns, verify }: Evidence): readonly string[] {
  const where = `Measured: branch ${shown(repository.branch ?? '(detached HEAD)')} at ${shown(repository.head)}`;
  const files = changedFiles.slice(0, FILES_MAX).map((path) => `- ${inCode(path)}`);
  const more = changedFilesTotal > files.length ? [`- and ${changedFilesTotal - files.length} more`] : [];
  const listed = changedFilesTotal === 0 ? '.' : `:\n\n${[...files, ...more].join('\n')}`;
  return [
    `${where}, ${counted(changedFilesTotal, 'changed file')}${listed}`,
    ...concernParts(concerns),
    ...verify.flatMap(verifyParts),
  ];
}

/** What changed of that which judges the work (R-VER-3). */
function concernParts(concerns: readonly string[]): readonly string[] {
  return concerns.length === 0
    ? []
    : [`Worth a look:\n\n${concerns.map((concern) => `- ${shown(concern)}`).join('\n')}`];
}

function verifyParts({ command, how, exitCode, output, durationMs }: VerifyRun): readonly string[] {
  const end = how === 'exited' ? `exit code ${exitCode}` : how;
  return [
    `Verify: ${inCode(command)}, ${end} after ${durationText(durationMs)}.`,
    ...(output.trim() === '' ? [] : [fenced(output)]),
  ];
}

function layerLine({ layer, result, detail }: LayerResult): string {
  return `- ${layer}: ${result}. ${shown(firstLine(detail))}`;
}

/** A Verify command's output is above already. */
function reasonParts({ outcome }: AttemptEvidence): readonly string[] {
  switch (outcome.is) {
    case 'rejected':
      return outcome.layer === 'verify'
        ? [`Rejected because ${shown(firstLine(outcome.reason))}`]
        : ['Rejected because:', fenced(outcome.reason)];
    case 'not-counted':
      return ['Not counted because:', fenced(outcome.reason)];
    case 'accepted':
      return acceptedParts(outcome);
    case 'split':
      return ['Recorded as split, not as verified: its parts are tasks of their own.'];
    case 'under-way':
      return [];
    default:
      return unreachable(outcome);
  }
}

function acceptedParts({ review, remarks = [] }: AcceptedOutcome): readonly string[] {
  return [
    review === undefined
      ? 'Accepted: every layer that applies passed.'
      : `Accepted, but the review did not pass: ${review}.`,
    ...remarks.map(({ word, because }) =>
      because.length === 0
        ? `Accepted ${word}.`
        : `Accepted ${word}:\n\n${because.map((line) => `- ${shown(line)}`).join('\n')}`,
    ),
  ];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** A fence that the text cannot close. */
function fenced(text: string): string {
  const clean = sanitise(text, { charsPerLineMax: LINE_CHARS_MAX }).trimEnd();
  const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${clean}\n${fence}`;
}

/** A code span that the text cannot close. */
function inCode(text: string): string {
  const clean = shown(text);
  const longest = Math.max(0, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
  if (longest === 0) return `\`${clean}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${clean} ${fence}`;
}

function shown(text: string): string {
  return oneLine(text, LINE_CHARS_MAX);
}
