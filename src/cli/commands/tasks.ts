import { noTask, type PlanFile, readPlanFile } from '../../app/spec/plan-file.ts';
import type { Task } from '../../core/plan/data/task.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { visibleLine } from '../../core/text/sanitise.ts';
import { counted } from '../../core/text/words.ts';
import { planJson } from '../../core/view/plan-json.ts';
import { asIsOption, draftOptions, quickOptions } from '../planning/options.ts';
import { type Call, type Command, isSet, jsonOption, type Option } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { coloursFor, type PrintColours, printResult } from '../shared/print.ts';
import { flagsOf } from '../shared/setting-options.ts';

export const planOperand = {
  name: 'SPEC|FILE',
  summary: 'Name of a spec, or path of a file with tasks. Default: the active spec.',
};

const listJson: Option = { ...jsonOption, summary: 'Print JSON on stdout; with --generate, the events of the run.' };

/** Shows what the one reader of plans makes of a file (R-PARSE-1, R-DIA-1). */
export const tasks: Command = {
  operands: [planOperand],
  options: [
    { flag: '--generate', summary: 'Let an agent write the tasks of the spec from its documents.' },
    asIsOption,
    ...quickOptions,
    ...draftOptions.map((option) => (option.flag === jsonOption.flag ? listJson : option)),
  ],
  examples: [
    ['tasks', 'Lists the tasks of the active spec.'],
    ['tasks login --generate --agent claude', 'Lets Claude Code write the tasks of the spec "login".'],
    ['tasks docs/todo.md --json', 'Prints the tasks of any file as JSON.'],
  ],
  run: async (call) => {
    if (isSet(call, '--generate')) return await generate(call);
    const file = await readPlanFile(hostOf(call), call.operands[0]);
    const { plan } = file;
    if (plan.tasks.length === 0) throw noTask(file);
    printResult(call, planJson(plan), () => planText(file, coloursFor(call.stdout, call)));
    const { length } = plan.problems;
    if (length > 0 && !isSet(call, '--json'))
      call.stderr.write(
        `${counted(length, 'problem')}: run "specloop validate ${commandLine(file.operand)}" for details.\n`,
      );
    return 0;
  },
};

/** Drafts the plan of a spec (R-PLAN-1). */
async function generate(call: Call): Promise<number> {
  const { findSpec } = await import('../../app/find-spec.ts');
  const { runPhase } = await import('../planning/run-phase.ts');
  const place = await findSpec(hostOf(call), call.operands[0], flagsOf(call));
  return await runPhase(call, place, { artifact: 'tasks' });
}

const BOXES = { open: '[ ]', 'in-progress': '[-]', blocked: '[~]', done: '[x]' } as const;
const TITLE_CHARS_MAX = 100;

function planText({ path, isForced, plan }: PlanFile, colours: PrintColours): string {
  const done = plan.tasks.filter((task) => task.checked).length;
  const lines = [
    `${path}: ${plan.dialect}${isForced ? ' (as named)' : ''}, ${done} of ${counted(plan.tasks.length, 'task')} done`,
  ];
  let phase: string | undefined;
  for (const task of plan.tasks) {
    if (task.phase !== phase) lines.push('', colours.bold(visibleLine(task.phase ?? '', TITLE_CHARS_MAX)));
    phase = task.phase;
    lines.push(taskLine(task, colours));
  }
  return `${lines.join('\n')}\n`;
}

function taskLine({ state, id, hasOwnId, markers, title }: Task, { dim, green }: PrintColours): string {
  const box = state === 'done' ? green(BOXES[state]) : BOXES[state];
  const marks = markers.map((marker) => dim(`[${visibleLine(marker, TITLE_CHARS_MAX)}]`));
  return ['', box, ...(hasOwnId ? [id] : []), ...marks, visibleLine(title, TITLE_CHARS_MAX)].join(' ');
}
