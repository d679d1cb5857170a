import { hasControlCharacter } from '../text/sanitise.ts';
import { isLifecycleTask } from './data/lifecycle.ts';
import type { Plan, Problem, Task } from './data/task.ts';
import { leadsOutside } from './outside-paths.ts';
import { lineText, splitLines } from './read/lines.ts';
import { readVisibility } from './read/visibility.ts';
import { doubtText } from './shell/verify-doubt-text.ts';
import { expectsMoreThanExit, looksLikePath, proofDoubt } from './shell/verify-doubts.ts';

const DEEPEST_ID = 5;
const NAMED_AT_MOST = 3;
const TITLE_CHARS_MAX = 60;
const FORM = 'Write it as - [ ] 1.1 Title.';
/** Lines that were meant as a task, and what is wrong with them. */
const ALMOST_BOXES: readonly (readonly [RegExp, string])[] = [
  [
    /^[ \t]{0,9}(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}\[(?:|[ \t]{2,9}|[ \t]{1,9}[xX][ \t]{0,9}|[xX][ \t]{1,9})\](?![(:[])/,
    'The box does not hold exactly one character',
  ],
  [/^[ \t]{0,9}(?:[-*+]|\d{1,9}[.)])\[[ xX~-]\](?!\()/, 'There is no space between the list mark and the box'],
  [/^[ \t]{0,9}(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}\[[ xX~-]\][^ \t\r(:[*\\]/, 'There is no space after the box'],
  [
    /^[ \t]{0,9}(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}\[[vV*✓✔✅/>!?.o]\][ \t]/u,
    'The character in the box is not a space, x, X, - or ~',
  ],
  [/^[ \t]{0,9}\[[ xX]\][ \t]/, 'There is no list mark before the box'],
  [/^[ \t]{0,9}(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}\[[ xX~-]\][ \t]{0,9}$/, 'There is no text after the box'],
];

/**
 * What a person should know before a plan is run (R-PARSE-4, R-PARSE-5): the reader's own problems, then what this plan
 * would do wrong. An `error` means that a run would go wrong or refuse; all else is a `warning`.
 */
export function lintPlan(plan: Plan): readonly Problem[] {
  const ids = new Set<string | null>([...plan.tasks, ...plan.groups].map((entry) => entry.id));
  const found = [
    ...plan.problems,
    ...almostTasks(plan),
    ...plan.tasks.flatMap((task) => [...verifyProblems(task), ...pathProblems(task), ...idProblems(task, ids)]),
    ...numberingProblems(plan, ids),
    ...neighbourProblems(plan.tasks),
  ];
  return found.sort((left, right) => left.line - right.line || left.column - right.column);
}

function at(task: Task, problem: Omit<Problem, 'line' | 'column'>): Problem {
  return { ...problem, line: task.box.line, column: task.box.column };
}

function warn(task: Task, code: string, text: { readonly message: string; readonly hint: string }): Problem {
  return at(task, { severity: 'warning', code, ...text });
}

function verifyProblems(task: Task): readonly Problem[] {
  // What the lifecycle of a pull request does itself needs no command (R-PR-9).
  if (task.checked || (isLifecycleTask(task) && task.verifyCommand === null)) return [];
  switch (task.verifyKind) {
    case 'none':
      return [
        warn(task, 'verify-missing', {
          message: `Task ${task.id} has no Verify field.`,
          hint: 'Add a command that fails while the task is not done.',
        }),
      ];
    case 'manual':
      return [
        warn(task, 'verify-manual', {
          message: `Verify of task ${task.id} is verified by hand: no command is run.`,
          hint: 'Write a command in a code span if a machine can check it.',
        }),
      ];
    case 'prose':
      return [
        warn(task, 'verify-prose', {
          message: `Verify of task ${task.id} is not a command: no command is run.`,
          hint: 'Write the command in a code span at the start of the value.',
        }),
      ];
    case 'command':
      return commandProblems(task, task.verifyCommand ?? '');
  }
}

/** What is wrong with a command of Verify, or doubtful (R-SEC-1, R-VER-15). */
export function commandProblems(task: Task, command: string): readonly Problem[] {
  if (hasControlCharacter(command)) return [controlCharacter(task)];
  return [...(mixesScripts(command) ? [mixedScripts(task)] : []), ...proofProblems(task, command)];
}

/** A terminal hides what such characters make a part of; bash runs it (R-SEC-1). */
function controlCharacter(task: Task): Problem {
  return at(task, {
    severity: 'error',
    code: 'verify-control-character',
    message: `Verify of task ${task.id} contains control characters, which can hide text in a terminal. It is not run.`,
    hint: 'Remove them; only tabs and line breaks are allowed.',
  });
}

/** Letters that look alike, as a Cyrillic one in a Latin word, make another name of it (R-SEC-1). */
function mixesScripts(command: string): boolean {
  return (command.match(/[\p{L}\p{M}\p{N}_-]+/gu) ?? []).some(
    (word) =>
      /\p{Script=Latin}/u.test(word) &&
      /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}|\p{Script=Cherokee}|[\uff21-\uff5a]/u.test(word),
  );
}

function mixedScripts(task: Task): Problem {
  return warn(task, 'verify-mixed-scripts', {
    message: `Verify of task ${task.id} has a word that mixes letters of several alphabets and may look like another word.`,
    hint: 'Type the word again.',
  });
}

/** Files that no work can be committed in. */
export function pathProblems(task: Task): readonly Problem[] {
  const outside = task.checked ? [] : task.files.filter(leadsOutside);
  if (outside.length === 0) return [];
  return [
    warn(task, 'files-outside', {
      message: `Task ${task.id} names Files outside the repository: ${outside.slice(0, NAMED_AT_MOST).join(', ')}.`,
      hint: 'Name files in the repository; files elsewhere are neither checked nor committed.',
    }),
  ];
}

function proofProblems(task: Task, command: string): readonly Problem[] {
  const doubt = proofDoubt(command);
  if (doubt !== undefined) {
    const code = doubt.kind === 'fed' && !doubt.isWhole ? 'verify-exit-code-lost' : 'verify-cannot-fail';
    return [warn(task, code, doubtText(`Verify of task ${task.id}`, command, doubt))];
  }
  if (looksLikePath(command)) {
    return [
      warn(task, 'verify-path', {
        message: `Verify of task ${task.id} would run the file ${command}.`,
        hint: 'If it is not a program, write a command that checks it, or words before the code span.',
      }),
    ];
  }
  if (expectsMoreThanExit(task.verifyText ?? '')) {
    return [
      warn(task, 'verify-comment', {
        message: `Verify of task ${task.id} describes its output in words; only its exit code counts.`,
        hint: 'Let the command check the output, for example with grep -q or test.',
      }),
    ];
  }
  return [];
}

function idProblems(task: Task, ids: ReadonlySet<string | null>): readonly Problem[] {
  const problems: Problem[] = [];
  const unknown = task.dependsOn.filter((id) => !ids.has(id));
  if (unknown.length > 0) {
    const message = `Task ${task.id} depends on ${unknown.join(', ')}, which is not in the plan.`;
    problems.push(
      at(task, {
        severity: 'error',
        code: 'unknown-dependency',
        message,
        hint: 'Correct the id, or remove the dependency.',
      }),
    );
  }
  if (task.fixes !== undefined && !ids.has(task.fixes)) {
    const message = `Task ${task.id} repairs task ${task.fixes}, which is not in the plan.`;
    problems.push(
      at(task, { severity: 'error', code: 'unknown-original', message, hint: 'Correct the id in its FIX marker.' }),
    );
  }
  if (task.id.split('.').length - 1 > DEEPEST_ID) {
    problems.push(
      warn(task, 'deep-id', {
        message: `The id ${task.id} is more than ${DEEPEST_ID} dots deep.`,
        hint: 'Give the task another number.',
      }),
    );
  }
  return problems;
}

/** Tasks without an id among tasks that have one, and numbers that are left out (R-PARSE-4). */
function numberingProblems(plan: Plan, ids: ReadonlySet<string | null>): readonly Problem[] {
  const problems: Problem[] = [];
  const isNumbered = plan.tasks.some((task) => task.hasOwnId && task.fixes === undefined);
  let previous: NumberedId | undefined;
  for (const task of plan.tasks) {
    if (!task.hasOwnId) {
      if (isNumbered) problems.push(missingId(task));
      continue;
    }
    const id = numberedId(task.id);
    const skipped = id === undefined || id.prefix !== previous?.prefix ? undefined : idAfter(previous);
    if (skipped !== undefined && id !== undefined && id.number > (previous?.number ?? 0) + 1 && !ids.has(skipped)) {
      problems.push(skippedId(task, skipped));
    }
    previous = id ?? previous;
  }
  return problems;
}

/** An id that ends in a number: what is before it, and how many digits it is written with. */
interface NumberedId {
  readonly prefix: string;
  readonly number: number;
  readonly digits: number;
}

function numberedId(id: string): NumberedId | undefined {
  const digits = /\d{1,9}$/.exec(id)?.[0];
  return digits === undefined
    ? undefined
    : { prefix: id.slice(0, -digits.length), number: Number(digits), digits: digits.length };
}

function idAfter(id: NumberedId): string {
  return id.prefix + String(id.number + 1).padStart(id.digits, '0');
}

function missingId(task: Task): Problem {
  return warn(task, 'missing-id', {
    message: `The task "${task.title.slice(0, TITLE_CHARS_MAX)}" has no id; specloop calls it ${task.id}.`,
    hint: 'Give it a number like the other tasks, so that its id stays the same when its title changes.',
  });
}

function skippedId(task: Task, skipped: string): Problem {
  return warn(task, 'id-gap', {
    message: `The number ${skipped} is missing before task ${task.id}.`,
    hint: 'Check whether a task is missing; if not, ignore this.',
  });
}

/** Open `[P]` tasks of one batch that may touch the same files. */
function neighbourProblems(tasks: readonly Task[]): readonly Problem[] {
  const problems: Problem[] = [];
  let batch: { readonly owners: Map<string, string>; readonly phase: string | undefined } | undefined;
  for (const task of tasks) {
    if (!task.parallel || batch?.phase !== task.phase) batch = undefined;
    if (!task.parallel || task.checked) continue;
    batch ??= { owners: new Map(), phase: task.phase };
    const shared = task.files.filter((file) => batch?.owners.has(file));
    if (shared.length > 0) problems.push(sharedFiles(task, shared, batch.owners));
    else if (task.files.length === 0 && !task.filesKnown && hasNeighbour(tasks, task))
      problems.push(unknownFiles(task));
    for (const file of task.files) if (!batch.owners.has(file)) batch.owners.set(file, task.id);
  }
  return problems;
}

function hasNeighbour(tasks: readonly Task[], task: Task): boolean {
  const runsBeside = (other: Task | undefined): boolean =>
    other?.parallel === true && !other.checked && other.phase === task.phase;
  return runsBeside(tasks[task.index - 1]) || runsBeside(tasks[task.index + 1]);
}

function sharedFiles(task: Task, files: readonly string[], owners: ReadonlyMap<string, string>): Problem {
  const others = [...new Set(files.flatMap((file) => owners.get(file) ?? []))].slice(0, NAMED_AT_MOST).join(', ');
  const named = files.slice(0, NAMED_AT_MOST).join(', ');
  return warn(task, 'shared-files', {
    message: `Task ${task.id} may run in parallel with task ${others}, and both change ${named}.`,
    hint: 'Remove [P] from one of them, or put a task without [P] between them.',
  });
}

function unknownFiles(task: Task): Problem {
  return warn(task, 'files-unknown', {
    message: `Task ${task.id} may run in parallel with others, but does not say which files it changes.`,
    hint: 'Name them in a Files field, or remove [P].',
  });
}

/** Lines that look like tasks to a person, but not to a reader. */
function almostTasks(plan: Plan): readonly Problem[] {
  const lines = splitLines(plan.text);
  const { kinds } = readVisibility(lines);
  const problems: Problem[] = [];
  for (let line = 0; line < lines.count; line++) {
    if (kinds[line] !== 'text') continue;
    const text = lineText(lines, line);
    if (!text.includes('[')) continue;
    const flaw = ALMOST_BOXES.find(([pattern]) => pattern.test(text));
    if (flaw === undefined) continue;
    const column = text.indexOf('[') + 1;
    problems.push({
      severity: 'warning',
      code: 'almost-a-task',
      line: line + 1,
      column,
      message: `${flaw[1]}, so this line is not a task.`,
      hint: FORM,
    });
  }
  return problems;
}
