import { opening } from '../answer/excerpt.ts';
import type { DraftStep } from '../plan/data/step.ts';
import { byteLength } from '../text/byte-length.ts';
import { oneLine, quoteLines, sanitise } from '../text/sanitise.ts';
import { bounded, type PromptPart, withinBytes } from './bounded.ts';
import { basis, type DraftMaterial, decisions, scopeOf } from './draft-brief.ts';
import { DRAFT_RUBRICS } from './draft-rubrics.ts';
import { signalProtocol } from './instructions.ts';
import { quoted, section } from './parts.ts';

const LINE_CHARS_MAX = 500;
/** The part of a prompt that the document may take up. */
const DOCUMENT_SHARE = 1 / 2;

/** Everything that the brief of a draft's reviewer is made of. */
export interface DraftReviewInput {
  readonly step: DraftStep;
  readonly spec: { readonly name: string /** Its folder, relative to the workspace. */; readonly path: string };
  /** From 1. */
  readonly round: number;
  /** Longest prompt, in bytes (R-AGT-7). */
  readonly bytesMax: number;
  readonly material: DraftMaterial;
  /** The text of the document. */
  readonly text: string;
  readonly earlierFindings: readonly string[];
}

/**
 * Writes the prompt of a review of a draft: the document, what it builds on, what the checks found, and what it is judged by
 * (R-PLAN-2, R-VER-7). Text from outside is quoted, and what does not fit is to be read.
 */
export function draftReviewBrief(input: DraftReviewInput): string {
  const { step, spec, round, material, bytesMax, earlierFindings } = input;
  const file = oneLine(`${spec.path}/${step.file}`, LINE_CHARS_MAX);
  return bounded(
    [
      `Task: Review ${step.file} for spec ${oneLine(spec.name, LINE_CHARS_MAX)}`,
      section('Where you are', [
        `- Spec: ${oneLine(spec.name, LINE_CHARS_MAX)}`,
        `- The document under review: ${file}`,
        `- Round: ${round}`,
      ]),
      section('The goal', [quoted(material.goal)]),
      decisions(material.decisions),
      scopeOf(material),
      document(file, input),
      ...material.inputs.map((one) => basis(one, spec.path)),
      checks(material.problems ?? []),
      list(
        'Found before',
        'Earlier rounds found the following; check first whether it was dealt with:',
        earlierFindings,
      ),
      material.rules.length === 0
        ? ''
        : section(
            'What holds for this goal',
            material.rules.map((rule) => `- ${rule}`),
          ),
      section('What you judge it by', DRAFT_RUBRICS[step.artifact]),
      howToReview(file),
      signalProtocol('reviewer'),
    ],
    bytesMax,
  );
}

function document(file: string, { text, bytesMax }: DraftReviewInput): PromptPart {
  const title = 'The document';
  const clean = sanitise(text).trimEnd();
  const write = (chars: number) =>
    section(title, [
      `${file}, as data:`,
      ...(chars < clean.length ? ['Left out: the rest, which you have to read there.'] : []),
      '',
      quoteLines(opening(clean, chars)),
    ]);
  return {
    title,
    bytesMax: Math.min(byteLength(clean) * 2 + LINE_CHARS_MAX * 2, Math.floor(bytesMax * DOCUMENT_SHARE)),
    write: (room) => withinBytes(room, write),
  };
}

/** The checks have the last word on form: a reviewer need not repeat them. */
function checks(lines: readonly string[]): string {
  if (lines.length === 0)
    return section('What the checks found', ['Nothing: form, ids and references are checked by code.']);
  return list('What the checks found', 'This is known, and need not be found again:', lines);
}

function list(title: string, intro: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : section(title, [intro, '', quoted(lines.map((line) => `- ${line}`).join('\n'))]);
}

function howToReview(file: string): string {
  return section('How to review', [
    '- Judge what the document means; form is checked by code. Look into the repository and the documents before you judge.',
    '- Change nothing: no file, no commit, no branch.',
    `- Report only what has to change, each finding once, in a numbered list below the heading \`### Feedback for Revision\`:`,
    `  where it is (\`${file}:line\`), which question above it fails and why, and what would be right. Without a finding, a`,
    '  failure says nothing.',
    '- Taste is no finding, nor is what a person has decided.',
  ]);
}
