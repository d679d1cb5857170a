import { openProject } from '../../app/project.ts';
import { ownerText } from '../../app/run/runs.ts';
import type { LiveStatus } from '../../app/spec/status.ts';
import { elsewhereLine } from '../../app/worktree/home.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import { counted, durationText, idText, spentText, taskName } from '../../core/text/words.ts';
import { recordText } from '../../core/view/record/record.ts';
import { pullRequestLines } from '../implement/pull-request-status.ts';
import { type Call, type Command, dialectOption, jsonOption, optionText, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { printResult } from '../shared/print.ts';

/** Shows the status of a spec, while it runs and afterwards (R-API-5, R-VER-9). Changes nothing. */
export const status: Command = {
  operands: [specOperand],
  options: [
    jsonOption,
    dialectOption,
    { flag: '--task', placeholder: 'ID', summary: 'Show every attempt at this task, with its checks.' },
  ],
  examples: [
    ['status', 'Shows the status of the active spec.'],
    ['status demo --task 1.2', 'Shows what was claimed and checked for task 1.2.'],
  ],
  run: async (call) => {
    const project = await openProject(call.cwd, hostOf(call));
    const spec = await project.spec(call.operands[0]);
    const task = optionText(call, '--task');
    if (task === undefined) print(call, await spec.status());
    else {
      const evidence = await spec.evidence(task);
      printResult(call, evidence, () => recordText(evidence));
    }
    return 0;
  },
};

function print(call: Call, live: LiveStatus): void {
  const { isInMainTree, moving, isPlanned, ...status } = live;
  printResult(call, status, () => `${statusLines(live).join('\n')}\n`);
}

function statusLines(status: LiveStatus): readonly string[] {
  const { spec, path, worktree, isInMainTree, total, done, current, lastRun } = status;
  const many = total === 0 ? 'no tasks yet' : `${done} of ${counted(total, 'task')} done`;
  return [
    `${spec} (${path}): ${many}, phase ${phaseText(status)}`,
    ...(worktree === null ? [] : [elsewhereLine({ dir: worktree, isMain: isInMainTree })]),
    ...(status.isPlanned ? status.documents.map(documentLine) : []),
    ...(status.questions.length === 0 ? [] : ['Open questions:', ...status.questions.map(questionText)]),
    ...(current === null ? [] : [`Current: ${taskName(current)}`]),
    ...status.added.map(({ task, relation, of }) => `  ${idText(task)}: ${relation} ${idText(of)}`),
    ...status.reviews.map(({ task, status: how }) => `  ${idText(task)}: ${how}`),
    ...status.remarks.map(
      ({ task, word, because }) => `  ${idText(task)}: ${oneLine([word, ...because].join(': '), 300)}`,
    ),
    ...(status.pullRequest === null ? [] : pullRequestLines(status.pullRequest)),
    ...(status.session === null ? [] : [sessionLine(status.session)]),
    ...runningLines(status),
    ...(lastRun === null || status.running !== null ? [] : lastRunLines(lastRun)),
    ...(status.spent === null || !status.isPlanned ? [] : [spentLine(status.spent)]),
    ...(status.next === null ? [] : [`Next: ${oneLine(status.next, 300)}`]),
  ];
}

function phaseText({ phase, gate, epic }: LiveStatus): string {
  const part = epic === null ? '' : `, of the epic ${oneLine(epic, 80)}`;
  return `${oneLine(phase, 40)}${gate === null ? '' : ', waiting for approval'}${part}`;
}

function documentLine({ file, state, sha256, approved, why }: LiveStatus['documents'][number]): string {
  const by = state !== 'approved' || approved === null ? '' : ` by ${oneLine(approved.by, 80)}`;
  const how = why ?? `${file}: ${state}${by} (content ${sha256.slice(0, 12)})`;
  return `  ${oneLine(how, 300)}`;
}

function questionText({ id, ask }: LiveStatus['questions'][number]): string {
  return `  ${oneLine(`${id}: ${ask}`, 300)}`;
}

/** What all runs of the spec took together (R-DEL-8). */
function spentLine(spent: NonNullable<LiveStatus['spent']>): string {
  const { runs, attempts, activeMs } = spent;
  const took = [counted(attempts, 'attempt'), durationText(activeMs), ...[spentText(spent) ?? []].flat()];
  return `In all: ${counted(runs, 'run')}, ${took.join(', ')}.`;
}

function sessionLine({ id, since, open }: NonNullable<LiveStatus['session']>): string {
  const who = id === null ? 'a session without an id' : `the session ${oneLine(id, 200)}`;
  return `Driven by ${who} since ${since}, ${open === 0 ? 'no delegation is open' : `${counted(open, 'open delegation')}`}.`;
}

function runningLines({ running, moving }: LiveStatus): readonly string[] {
  if (running === null) return ['Not running.'];
  const steps = moving.map(
    (task) => `  ${taskName(task)}: ${task.step}, attempt ${task.attempt}, for ${durationText(task.stepMs)}`,
  );
  return [`Running: ${ownerText(running)}`, ...steps];
}

function lastRunLines({ id, result, reason }: NonNullable<LiveStatus['lastRun']>): readonly string[] {
  const [first = ''] = reason.split('\n');
  return [`Last run: ${id}, ${result}${first === '' ? '' : `: ${oneLine(first, 300)}`}`];
}
