import { noTask, type PlanFile, readPlanFile } from '../../app/plan-file.ts';
import { syntaxProblems } from '../../app/syntax-problems.ts';
import { unpassedLines } from '../../app/unpassed.ts';
import { isLifecycleTask } from '../../core/plan/lifecycle.ts';
import type { Plan, Problem, Task } from '../../core/plan/task.ts';
import { firstOf } from '../../core/text/first-of.ts';
import { visibleLine } from '../../core/text/sanitise.ts';
import { counted } from '../../core/text/words.ts';
import { type Call, type Command, isSet, jsonOption } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { coloursFor, printJson } from '../shared/print.ts';
import { problemText } from '../shared/problem-text.ts';
import { planOperand } from './tasks.ts';

/** Shows what is wrong with a plan, and how each Verify is classed, before anything is run (R-PARSE-4, R-PARSE-5). */
export const validate: Command = {
  operands: [planOperand],
  options: [jsonOption],
  examples: [
    ['validate', 'Checks the plan of the active spec.'],
    ['validate docs/todo.md --json', 'Prints the problems of any file with tasks as JSON.'],
  ],
  details: 'Exits with 1 if there is an error. Also shows how each Verify is read; only commands are run.',
  run: async (call) => {
    const file = await readPlanFile(hostOf(call), call.operands[0]);
    const { format, plan } = file;
    if (plan.tasks.length === 0) throw noTask(file);
    const problems = inOrder([...format.describe(plan), ...syntaxProblems(plan)]);
    if (isSet(call, '--json')) printJson(call.stdout, { dialect: plan.dialect, problems });
    else show(call, file, { ...plan, problems });
    return conclude(call, file, problems);
  },
};

function show(call: Call, { path, runsIn, settings }: PlanFile, plan: Plan): void {
  const { text, dialect, tasks, problems } = plan;
  const colours = coloursFor(call.stdout, call);
  const lines = text.split(/\r?\n/);
  const told = grouped(problems, tasks).map((problem) => `${problemText(problem, { path, lines }, colours)}\n\n`);
  const classes = tasks.map((task) => `  ${verifyLine(task)}\n`);
  call.stdout.write(`${told.join('')}${path}: ${dialect}, ${counted(tasks.length, 'task')}\n${classes.join('')}`);
  const unpassed = settings === undefined ? [] : unpassedLines(plan, { env: call.env, settings });
  for (const told of unpassed) call.stdout.write(`${told}\n`);
  if (runsIn !== undefined) call.stdout.write(`${runsIn}\n`);
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((left, right) => left.line - right.line || left.column - right.column);
}

/** Kinds of which a plan may have one for each of its tasks: told once then, with the ids. */
const GROUPED: ReadonlyMap<string, string> = new Map([
  ['verify-missing', 'have no Verify field'],
  ['verify-manual', 'are verified by hand: no command is run'],
  ['verify-prose', 'have a Verify that is not a command: no command is run'],
]);
const ALONE_MAX = 2;
const IDS_MAX = 20;

/** The problems as they are told to people: many of one such kind as one, at the first place. */
function grouped(problems: readonly Problem[], tasks: readonly Task[]): readonly Problem[] {
  const ids = new Map(tasks.map(({ id, box }) => [box.line, id]));
  return problems.flatMap((problem) => {
    const what = GROUPED.get(problem.code);
    const same = problems.filter(({ code }) => code === problem.code);
    if (what === undefined || same.length <= ALONE_MAX) return [problem];
    if (same[0] !== problem) return [];
    const named = same.map(({ line }) => ids.get(line) ?? `line ${line}`);
    return [{ ...problem, message: `${same.length} tasks ${what}: ${firstOf(named, IDS_MAX)}.` }];
  });
}

const SHOWN_CHARS_MAX = 400;

function verifyLine(task: Task): string {
  const { id, hasOwnId, title, verifyKind, verifyCommand, verifyText } = task;
  const name = hasOwnId ? id : visibleLine(title, 40);
  const who = isLifecycleTask(task) ? '  (done with the pull request, by no agent)' : '';
  return `${name}${who}  Verify: ${verifyKind}  ${visibleLine(verifyCommand ?? verifyText ?? '', SHOWN_CHARS_MAX)}`.trimEnd();
}

function conclude({ stderr }: Call, { operand }: PlanFile, problems: readonly Problem[]): number {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const counts = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  if (errors === 0) {
    stderr.write(`${counts.length === 0 ? 'No problems' : counts.join(', ')}.\n`);
    return EXIT.ok;
  }
  stderr.write(`${counts.join(', ')}. Correct the plan, then run "specloop validate ${operand}" again.\n`);
  return EXIT.stuck;
}
