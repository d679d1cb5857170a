import { noTask, type PlanFile, readPlanFile, specToRead } from '../../app/plan-file.ts';
import { unpassedLines } from '../../app/unpassed.ts';
import { planProblems, type ValidatedSpec, validateSpec } from '../../app/validate-spec.ts';
import { type ArtifactProblem, inProblemOrder } from '../../core/artifact/problem.ts';
import { isLifecycleTask } from '../../core/plan/lifecycle.ts';
import type { Task } from '../../core/plan/task.ts';
import { checkSpecName } from '../../core/spec-name.ts';
import { visibleLine } from '../../core/text/sanitise.ts';
import { counted } from '../../core/text/words.ts';
import { type Call, type Command, isSet, jsonOption, type Option } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { groupedProblems } from '../shared/grouped-problems.ts';
import { hostOf } from '../shared/host.ts';
import { coloursFor, printJson } from '../shared/print.ts';
import { problemText } from '../shared/problem-text.ts';
import { planOperand } from './tasks.ts';

const strictOption: Option = { flag: '--strict', summary: 'Exit with 1 for findings and warnings too.' };

/** Shows what is wrong with a spec or a plan, and how each Verify is classed, before anything is run (R-PLAN-5, R-PARSE-5). */
export const validate: Command = {
  operands: [{ ...planOperand, summary: 'Name of a spec, or path of a file with tasks. Default: the active spec.' }],
  options: [strictOption, jsonOption],
  examples: [
    ['validate', 'Checks the active spec: research, requirements, design and tasks.'],
    ['validate login --strict', 'Fails if there is anything to improve, for CI.'],
    ['validate docs/todo.md --json', 'Prints the problems of any file with tasks as JSON.'],
  ],
  details:
    'Exits with 1 if there is an error. Findings and warnings are what could be better. Also shows how each Verify is read; only commands are run. See [the problems](problems.md).',
  run: async (call) => {
    const [operand] = call.operands;
    return operand === undefined || checkSpecName(operand).ok
      ? await ofSpec(call, operand)
      : await ofFile(call, operand);
  },
};

async function ofSpec(call: Call, name: string | undefined): Promise<number> {
  const host = hostOf(call);
  const place = await specToRead(host, name);
  const found = await validateSpec(place, host);
  if (isSet(call, '--json')) {
    const { spec, plan, problems } = found;
    printJson(call.stdout, { spec, dialect: plan?.plan.dialect ?? null, problems });
  } else show(call, found);
  return conclude(call, found.spec, found.problems);
}

async function ofFile(call: Call, operand: string): Promise<number> {
  const file = await readPlanFile(hostOf(call), operand);
  if (file.plan.tasks.length === 0) throw noTask(file);
  const problems = inProblemOrder(planProblems(file));
  if (isSet(call, '--json')) printJson(call.stdout, { dialect: file.plan.dialect, problems });
  else show(call, { artifacts: [{ file: file.path, text: file.plan.text }], plan: file, problems });
  return conclude(call, operand, problems);
}

type ShownSpec = Pick<ValidatedSpec, 'plan' | 'problems'> & {
  readonly artifacts: readonly { readonly file: string; readonly text: string }[];
};

function show(call: Call, { artifacts, plan, problems }: ShownSpec): void {
  const colours = coloursFor(call.stdout, call);
  const lines = new Map(artifacts.map(({ file, text }) => [file, text.replace(/^\uFEFF/, '').split(/\r?\n/)]));
  const tasks = plan?.plan.tasks ?? [];
  for (const problem of groupedProblems(problems, tasks)) {
    const quoted = { path: problem.file, lines: lines.get(problem.file) ?? [] };
    call.stdout.write(`${problemText(problem, quoted, colours)}\n\n`);
  }
  if (plan !== undefined) showPlan(call, plan);
}

function showPlan(call: Call, { path, plan, runsIn, settings }: PlanFile): void {
  const classes = plan.tasks.map((task) => `  ${verifyLine(task)}\n`);
  call.stdout.write(`${path}: ${plan.dialect}, ${counted(plan.tasks.length, 'task')}\n${classes.join('')}`);
  const unpassed = settings === undefined ? [] : unpassedLines(plan, { env: call.env, settings });
  for (const told of unpassed) call.stdout.write(`${told}\n`);
  if (runsIn !== undefined) call.stdout.write(`${runsIn}\n`);
}

const SHOWN_CHARS_MAX = 400;

function verifyLine(task: Task): string {
  const { id, hasOwnId, title, verifyKind, verifyCommand, verifyText } = task;
  const name = hasOwnId ? id : visibleLine(title, 40);
  const who = isLifecycleTask(task) ? '  (done with the pull request, by no agent)' : '';
  return `${name}${who}  Verify: ${verifyKind}  ${visibleLine(verifyCommand ?? verifyText ?? '', SHOWN_CHARS_MAX)}`.trimEnd();
}

function conclude(call: Call, operand: string, problems: readonly ArtifactProblem[]): number {
  const { stderr } = call;
  const counts = (['error', 'finding', 'warning'] as const).flatMap((severity) => {
    const count = problems.filter((problem) => problem.severity === severity).length;
    return count > 0 ? [counted(count, severity)] : [];
  });
  const isStrict = isSet(call, '--strict');
  const fails = isStrict ? problems.length > 0 : problems.some(({ severity }) => severity === 'error');
  if (!fails) {
    stderr.write(`${counts.length === 0 ? 'No problems' : counts.join(', ')}.\n`);
    return EXIT.ok;
  }
  const what = problems.every(({ artifact }) => artifact === 'tasks') ? 'the plan' : 'the spec';
  const again = `specloop validate ${operand}${isStrict ? ' --strict' : ''}`;
  stderr.write(`${counts.join(', ')}. Correct ${what}, then run "${again}" again.\n`);
  return EXIT.stuck;
}
