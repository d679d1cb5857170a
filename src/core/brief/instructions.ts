import type { WorkRole } from '../agent/role.ts';
import { FAILURE_PLACEHOLDERS } from '../answer/failure-report.ts';
import { NEEDS_INPUT } from '../answer/question.ts';
import { SIGNALS } from '../answer/signals.ts';
import { LEFT_UNDONE } from '../answer/undone.ts';
import type { Task } from '../plan/data/task.ts';
import { leadsOutside } from '../plan/outside-paths.ts';
import { fenced } from '../text/fence.ts';
import { oneLine } from '../text/sanitise.ts';
import type { WorkBrief } from './input.ts';
import { inSpec, section } from './parts.ts';

const LINE_CHARS_MAX = 500;

/** How the role is to work on this task, and who does the bookkeeping (R-DEL-3, R-DEL-5). */
export function instructions(input: WorkBrief): string {
  const work = input.role === 'executor' ? (input.isOfOtherTool ? executorOf(input) : EXECUTOR) : VERIFIER;
  const bookkeeping = input.bookkeeping === 'agent' ? agentKeepsBooks(input) : coordinatorKeepsBooks(input);
  return section('How to work', [
    ...work,
    ...EVERYONE,
    ...outside(input),
    ...bookkeeping,
    ...(input.hasTools ? TOOLS : []),
  ]);
}

const EXECUTOR = [
  '- Work on this one task only, and do the whole of it: what *Do* says, until *Done when* holds. Leave every other task alone.',
  '- Change the files that *Files* names. Where another file must change as well, change as little of it as you can and say so.',
  '- Before you end, run what *Verify* says yourself. It is run again after you, and its exit code decides, not your word.',
  '- Do not weaken a test, a check or the task to make it pass.',
];

/** In plans of other tools a task is a sentence and what is below it. */
function executorOf({ task }: WorkBrief): readonly string[] {
  const [, , verify = '', fairly = ''] = EXECUTOR;
  return [
    '- Work on this one task only, and do the whole of it: everything that its text and the boxes below it ask for. Leave every other',
    '  task alone.',
    '- Change the files that it names. Where another file must change as well, change as little of it as you can and say so.',
    task.verifyKind === 'command'
      ? verify
      : '- Your work is compared with the task by a reviewer. Run what the task says to run yourself.',
    fairly,
  ];
}

const VERIFIER = [
  '- You check; others have built. Carry out the verification as the task says, every step of it, and read what it prints.',
  '- Repair small defects that stand in its way, then check again from the start. Leave larger ones and report them.',
  '- Say in your answer which commands you ran and how they ended. A check that you did not run has not passed.',
];

const EVERYONE = [
  '- No one answers questions while you work: decide, and note what you decided. Where only a person can decide, stop: end your',
  `  answer with ${NEEDS_INPUT} alone on its line and your question below it. The next attempt gets the answer.`,
  '- Stay on this branch. Do not push, rebase, reset, or change commits that are there. Leave no process running behind you.',
];

/** Told only where they are there (R-AGT-9). */
const TOOLS = [
  '- The MCP server `specloop` has tools for this attempt: task_complete, task_failed, request_modification and needs_input mean',
  '  the same as the words below, add_learning is for later tasks, and get_task and get_progress show what is known.',
];

/** What *Files* names elsewhere is never part of the work, whatever the plan says. */
function outside({ task }: WorkBrief): readonly string[] {
  const paths = task.files.filter(leadsOutside).map((path) => oneLine(path, LINE_CHARS_MAX));
  return paths.length === 0 ? [] : [`- Leave alone what *Files* names outside of the repository: ${paths.join(', ')}.`];
}

function coordinatorKeepsBooks(input: WorkBrief): readonly string[] {
  return [
    `- Edit code only: do not tick boxes, do not edit ${input.spec.planFile} or ${input.spec.stateFile}, and do not commit. The coordinator does all of`,
    '  that once your work is accepted.',
    `- What later tasks should know goes below \`## Learnings\` in ${progressFile(input)}, as one-line bullets at the end. Change nothing else there.`,
  ];
}

function agentKeepsBooks(input: WorkBrief): readonly string[] {
  const { task, spec } = input;
  const steps = [
    '- Once the work is verified, and not before, keep the books yourself, in this order:',
    `  1. In ${inSpec(spec, spec.planFile)}, tick the box of task ${oneLine(task.id, LINE_CHARS_MAX)}, and no other. Change nothing else there.`,
    `  2. In ${progressFile(input)}, add \`- [x] ${entryName(task)}\` at the end of \`## Completed Tasks\`, and what you learned below \`## Learnings\`.`,
  ];
  if (task.commit === null)
    return [...steps, `  3. Do not commit: the plan gives this task no commit. Do not edit ${spec.stateFile}.`];
  return [
    ...steps,
    `  3. Commit code, ${spec.planFile} and the progress file together, with exactly the message between the fence lines. Do not edit`,
    `     ${spec.stateFile}.`,
    '',
    fenced(task.commit),
  ];
}

function entryName({ id, title }: Pick<Task, 'id' | 'title'>): string {
  return oneLine(`${id} ${title}`, LINE_CHARS_MAX).replaceAll('`', "'");
}

function progressFile({ progressFile: own, spec }: WorkBrief): string {
  return own === undefined ? inSpec(spec, spec.progressFile) : oneLine(own, LINE_CHARS_MAX);
}

/** The form in which an agent reports that it could not do the task (R-REC-2). */
export function failureForm({ id, title }: Pick<Task, 'id' | 'title'>): string {
  const { error, attemptedFix, status } = FAILURE_PLACEHOLDERS;
  return section('If you cannot complete it', [
    'Say so, in your final answer and in this form. An honest failure is worth more than a claim: the next attempt starts from it.',
    '',
    fenced(
      [
        `Task ${oneLine(id, LINE_CHARS_MAX)}: ${oneLine(title, LINE_CHARS_MAX)} FAILED`,
        `- Error: ${error}`,
        `- Attempted fix: ${attemptedFix}`,
        `- Status: ${status}`,
      ].join('\n'),
    ),
  ]);
}

/** How the role ends its answer (R-DEL-4). Names the words inside sentences only, so that an echo claims nothing. */
export function signalProtocol(role: WorkRole): string {
  const { positive, negative } = SIGNALS[role];
  const rule =
    'Put it alone on the last line of your final answer, in plain text: not in a code fence, not quoted, no other word on that line.';
  const undone = role === 'reviewer' ? [] : [UNDONE];
  return section('How to end', [...endings(role, positive[0] ?? '', negative[0] ?? ''), ...undone, rule]);
}

/** R-VER-10. */
const UNDONE = `Above it, on a line of its own, write "${LEFT_UNDONE}: none", or what is missing of what the task asks for in place of none.`;

function endings(role: WorkRole, positive: string, negative: string): readonly string[] {
  switch (role) {
    case 'executor':
      return [
        `When the task is done and its check passes, the signal is ${positive}. Without it the attempt counts as failed. Never give it when`,
        'a part is missing or left for a person.',
      ];
    case 'verifier':
      return [
        `When everything you checked holds, the signal is ${positive}. When anything does not and you could not repair it, say what, and`,
        `the signal is ${negative}. Without a signal the verification counts as failed.`,
      ];
    case 'reviewer':
      return [
        `When nothing has to change, the signal is ${positive}. When something has to, the signal is ${negative}, below your findings.`,
      ];
  }
}
