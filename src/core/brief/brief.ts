import { fenced } from '../text/fence.ts';
import { firstOf } from '../text/first-of.ts';
import { oneLine } from '../text/sanitise.ts';
import { counted } from '../text/words.ts';
import { answers, lastFailure } from './attempt-history.ts';
import { bounded, type PromptPart } from './bounded.ts';
import { coverageNotes } from './coverage-notes.ts';
import type { BriefBasis, BriefInput, WorkBrief } from './input.ts';
import { failureForm, instructions, signalProtocol } from './instructions.ts';
import { modificationForm } from './modification-form.ts';
import { newest } from './newest.ts';
import { notes } from './notes.ts';
import { inSpec, section } from './parts.ts';
import { reviewBrief } from './review.ts';

const LINE_CHARS_MAX = 500;
const CONTEXT_MAX = 20;
const PARENT_BYTES_MAX = 4_000;
const TRIED_BYTES_MAX = 6_000;
const TRIED_MAX = 12;
const TRIED_FRAME_BYTES = 200;
/** The part of a prompt that notes may take up: what was learned long ago is seldom worth more. */
const NOTES_SHARE = 1 / 4;

/**
 * Writes the prompt of one attempt (R-DEL-3): who and where, the task block as it is in the plan, what is known of
 * the run, what went wrong before, how to work and how to end. It says which words are signals but is itself no answer:
 * echoed in whole or by sections it claims nothing (R-DEL-4). Text from outside is quoted, bounded and named as data
 * (R-PR-4). It is at most `bytesMax` long, if the task and how to work and end are not longer (R-AGT-7).
 */
export function buildBrief(input: BriefInput): string {
  const parts = input.role === 'reviewer' ? reviewBrief(input) : workBrief(input);
  return bounded([headLine(input), place(input), ...parts], input.bytesMax);
}

function headLine({ role, task, spec }: BriefInput): string {
  const deeds = { executor: 'Execute task', verifier: 'Execute verification task', reviewer: 'Review task' };
  return `Task: ${deeds[role]} ${task.index} for spec ${oneLine(spec.name, LINE_CHARS_MAX)}`;
}

function place({ spec, workdir = '', task, attempt }: BriefBasis): string {
  return section('Where you are', [
    `- Spec: ${oneLine(spec.name, LINE_CHARS_MAX)}`,
    spec.isSingleFile
      ? `- Its plan: ${inSpec(spec, spec.planFile)}`
      : `- Its folder: ${oneLine(spec.path, LINE_CHARS_MAX)}${wanted(spec.documents)}`,
    ...context(spec.context ?? []),
    ...(workdir === '' ? [] : [WORKDIR(oneLine(workdir, LINE_CHARS_MAX))]),
    `- Task: ${oneLine(task.id, LINE_CHARS_MAX)}, index ${task.index} of the plan`,
    `- Attempt: ${attempt}`,
  ]);
}

/** Where more is said that holds for the task; what it needs of it, an agent reads itself. */
function context(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const named = paths.map((path) => oneLine(path, LINE_CHARS_MAX));
  return [`- More that holds here, to read as far as the task needs it: ${firstOf(named, CONTEXT_MAX)}`];
}

/** Only documents that exist are named. */
function wanted(documents: readonly string[]): string {
  const last = documents.at(-1);
  if (last === undefined) return '';
  const names = documents.length === 1 ? last : `${documents.slice(0, -1).join(', ')} and ${last}`;
  return ` (${names} there ${documents.length === 1 ? 'says' : 'say'} what is wanted and why)`;
}

const WORKDIR = (dir: string) =>
  `- The folder you work in: ${dir}, below the repository's root. Commands run there, and *Files* are named from there or from the root.`;

function workBrief(input: WorkBrief): readonly PromptPart[] {
  const { spec, bytesMax } = input;
  const file = inSpec(spec, spec.progressFile);
  return [
    parents(input.parents ?? []),
    section('The task', [
      `As it stands in ${input.spec.planFile}, between the two fence lines:`,
      '',
      fenced(input.task.block, 'markdown'),
    ]),
    notes(input.progress, { file, bytesMax: Math.floor(bytesMax * NOTES_SHARE) }),
    coverageNotes(input.coverage),
    tried(input.tried ?? []),
    lastFailure(input.lastFailure),
    answers(input.answered ?? []),
    instructions(input),
    failureForm(input.task),
    input.role === 'executor' ? modificationForm(input.task, input) : '',
    signalProtocol(input.role),
  ];
}

/** What the plan says above the task, of all tasks of its group. */
function parents(blocks: readonly string[]): string {
  if (blocks.length === 0) return '';
  return section('What the task is part of', [
    'Its parents in the plan. What they say holds for this task as well; the other tasks below them are not yours.',
    '',
    fenced(blocks.join('\n').slice(0, PARENT_BYTES_MAX), 'markdown'),
  ]);
}

function tried(lines: readonly string[]): PromptPart {
  if (lines.length === 0) return '';
  const title = 'What was tried before';
  const write = (bytesMax: number) => {
    const { text, left: cut } = newest(lines.slice(-TRIED_MAX), bytesMax - TRIED_FRAME_BYTES);
    if (text === '') return '';
    const left = cut + Math.max(0, lines.length - TRIED_MAX);
    const more = left === 0 ? [] : ['', `Left out: ${counted(left, 'older attempt')}.`];
    return section(title, ['Do not try the same again:', '', text, ...more]);
  };
  return { title, bytesMax: TRIED_BYTES_MAX, write };
}
