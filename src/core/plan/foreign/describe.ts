import type { Plan, Problem, Task } from '../data/task.ts';
import { commandProblems, pathProblems } from '../lint.ts';
import { lineText } from '../read/lines.ts';
import { sourceOfBlock } from './shape.ts';

/** A bullet that seems to name a check, with the command it begins with. */
const LOOKS_LIKE_CHECK =
  /^[ \t]*[-*+][ \t]+(?:\*\*|_)?(?:verification|tests?|testing|validation|check)(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*`([^`\n]+)`/i;

/**
 * What a person should know before a plan of another tool is run: the reader's own problems, those of the commands it has,
 * and what keeps a task from being done. That a task has no command is no problem: it is proven by review (R-DIA-4).
 */
export function describeForeign(plan: Plan): readonly Problem[] {
  const found = [...plan.problems, ...plan.tasks.filter(({ checked }) => !checked).flatMap(taskProblems)];
  return found.sort((left, right) => left.line - right.line || left.column - right.column);
}

function taskProblems(task: Task): readonly Problem[] {
  return [
    ...(task.verifyCommand === null ? unusedCheck(task) : commandProblems(task, task.verifyCommand)),
    ...pathProblems(task),
    ...(task.blockedBy === undefined
      ? []
      : [
          warning(task, {
            code: 'blocked-task',
            message: `Task ${task.id} is blocked: ${task.blockedBy}.`,
            hint: 'It is run all the same; remove the line once it is not blocked.',
          }),
        ]),
  ];
}

/** What looks like a command for a machine, and is text (R-READ-12). */
function unusedCheck(task: Task): readonly Problem[] {
  const { lines, kinds } = sourceOfBlock(task);
  for (let line = 1; line < lines.count; line++) {
    const command = kinds[line] === 'text' ? LOOKS_LIKE_CHECK.exec(lineText(lines, line))?.[1] : undefined;
    if (command === undefined) continue;
    const message = `Task ${task.id} names the command \`${command}\`, but not in a Verify field: it is not run.`;
    return [
      warning(task, {
        code: 'verify-elsewhere',
        message,
        hint: `To have it run, add the line "- **Verify**: \`${command}\`" to the task.`,
      }),
    ];
  }
  return [];
}

function warning({ box }: Task, text: Pick<Problem, 'code' | 'message' | 'hint'>): Problem {
  return { severity: 'warning', line: box.line, column: box.column, ...text };
}
