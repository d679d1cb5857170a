import { inRepository } from '../../app/place.ts';
import { noTask, type PlanFile, readPlanFile, specToRead } from '../../app/spec/plan-file.ts';
import { unpassedLines } from '../../app/validate/unpassed.ts';
import { planProblems, specWithFile, type ValidatedSpec, validateSpec } from '../../app/validate/validate-spec.ts';
import { type ArtifactName, artifactOfFile } from '../../core/artifact/artifact-text.ts';
import { groupedProblems } from '../../core/artifact/grouped-problems.ts';
import { probeProblems } from '../../core/artifact/probe-problems.ts';
import { type ArtifactProblem, inProblemOrder } from '../../core/artifact/problem.ts';
import { isLifecycleTask } from '../../core/plan/data/lifecycle.ts';
import type { Task } from '../../core/plan/data/task.ts';
import { checkSpecName } from '../../core/spec-name.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { visibleLine } from '../../core/text/sanitise.ts';
import { counted, durationText, idText } from '../../core/text/words.ts';
import { InterruptedError, UserError } from '../../core/user-error.ts';
import type { Probed, ProbeResult } from '../../core/verify/probe.ts';
import { onSignals } from '../implement/signals.ts';
import { type Call, type Command, dialectOption, isSet, jsonOption, type Option } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { coloursFor, printJson } from '../shared/print.ts';
import { problemText } from '../shared/problem-text.ts';
import { planOperand } from './tasks.ts';

const probeOption: Option = {
  flag: '--probe',
  summary: 'Also run each open Verify once, in a worktree that is thrown away.',
};
const trustOption: Option = {
  flag: '--trust',
  summary: 'With --probe: trust the commands of the plan, now and later.',
};
const strictOption: Option = { flag: '--strict', summary: 'Exit with 1 for findings too.' };

/** Shows what is wrong with a spec or a plan, and how each Verify is classed, before anything is run (R-PLAN-5, R-PARSE-5). */
export const validate: Command = {
  operands: [
    {
      ...planOperand,
      summary: 'Name of a spec, or path of one of its files or of a file with tasks. Default: the active spec.',
    },
  ],
  options: [probeOption, trustOption, strictOption, dialectOption, jsonOption],
  examples: [
    ['validate', 'Checks the active spec: research, requirements, design and tasks.'],
    ['validate login --strict', 'Also fails for findings, for CI.'],
    ['validate login --probe', 'Also tries what each Verify says before the work.'],
    ['validate docs/todo.md --json', 'Prints the problems of any file with tasks as JSON.'],
  ],
  details:
    'Exits with 1 if there is an error. Findings and warnings are what could be better. Also shows how each Verify is read; only commands are run. See [the problems](problems.md).',
  run: async (call) => {
    const [operand] = call.operands;
    if (operand === undefined || checkSpecName(operand).ok) return await ofSpec(call, { name: operand });
    const artifact = artifactOfFile(operand);
    if (artifact === undefined) return await ofFile(call, operand);
    return await ofSpec(call, { name: await specWithFile(hostOf(call), operand), artifact });
  },
};

/** Checks a spec; of only one of its documents, where that was asked for, the problems are shown. */
async function ofSpec(
  call: Call,
  { name, artifact }: { readonly name: string | undefined; readonly artifact?: ArtifactName },
): Promise<number> {
  const host = hostOf(call);
  const place = await specToRead(host, name);
  const found = ofArtifact(await validateSpec(place, host), artifact);
  const probed = isSet(call, '--probe') ? await probeAll(call, place) : undefined;
  const { spec, plan } = found;
  const ofProbe = probed === undefined ? [] : probeProblems(probed, { file: plan?.path ?? '', known: found.problems });
  const problems = inProblemOrder([...found.problems, ...ofProbe]);
  if (isSet(call, '--json')) {
    const dialect = plan?.plan.dialect ?? null;
    printJson(call.stdout, { spec, dialect, ...byFile(problems), ...(probed && { probed }) });
  } else {
    show(call, { ...found, problems });
    for (const one of probed ?? []) call.stdout.write(`${probeLine(one)}\n`);
  }
  return conclude(call, call.operands[0] ?? spec, problems);
}

function ofArtifact(found: ValidatedSpec, wanted: ArtifactName | undefined): ValidatedSpec {
  if (wanted === undefined) return found;
  const { plan: _, ...rest } = found;
  return { ...rest, problems: found.problems.filter(({ artifact }) => artifact === wanted) };
}

/** Programs that read the problems of a plan look for their lines in it; those of the other documents are apart. */
function byFile(problems: readonly ArtifactProblem[]) {
  const isOfPlan = ({ artifact }: ArtifactProblem) => artifact === 'tasks';
  return { problems: problems.filter(isOfPlan), documentProblems: problems.filter((one) => !isOfPlan(one)) };
}

async function probeAll(call: Call, place: Awaited<ReturnType<typeof specToRead>>): Promise<readonly Probed[]> {
  const { probe } = await import('../../app/validate/probe.ts');
  const host = hostOf(call);
  const stop = new AbortController();
  onSignals(
    () => stop.abort(),
    async () => {},
  );
  const repository = inRepository(place, host);
  const probed = await probe({ ...place, repository }, host, { trust: isSet(call, '--trust'), signal: stop.signal });
  if (stop.signal.aborted) throw new InterruptedError('Interrupted; nothing was changed.', 'Run the command again.');
  return probed;
}

const RESULTS: Readonly<Record<ProbeResult, string>> = {
  'as-wanted': 'fails before the work, as wanted',
  'passes-already': 'passes already',
  'not-found': 'not found',
  'bad-syntax': 'bad syntax',
  'times-out': 'does not end in time',
};

function probeLine({ task: { id }, result, exitCode, durationMs }: Probed): string {
  const code = exitCode === undefined ? '' : `exit code ${exitCode}, `;
  return `  ${idText(id)}  probe: ${RESULTS[result]} (${code}${durationText(durationMs)})`;
}

async function ofFile(call: Call, operand: string): Promise<number> {
  if (isSet(call, '--probe'))
    throw new UserError('--probe needs a spec of a repository, not a file.', 'Name a spec, or leave out --probe.');
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
  const fails = problems.some(({ severity }) => severity === 'error' || (isStrict && severity === 'finding'));
  if (!fails) {
    stderr.write(`${counts.length === 0 ? 'No problems' : counts.join(', ')}.\n`);
    return EXIT.ok;
  }
  const what = problems.every(({ artifact }) => artifact === 'tasks') ? 'the plan' : 'the spec';
  const again = `specloop validate ${commandLine(operand)}${isStrict ? ' --strict' : ''}`;
  stderr.write(`${counts.join(', ')}. Correct ${what}, then run "${again}" again.\n`);
  return EXIT.stuck;
}
