import { findSpec } from '../../app/find-spec.ts';
import { coverageIn } from '../../app/spec/coverage.ts';
import type { Coverage, CoverageRow, CoveringTask } from '../../core/artifact/coverage.ts';
import { coverageMarkdown } from '../../core/artifact/coverage-markdown.ts';
import { firstOf } from '../../core/text/first-of.ts';
import { visibleLine } from '../../core/text/sanitise.ts';
import { counted, shortHash, taskName } from '../../core/text/words.ts';
import { type Call, type Command, isSet, jsonOption, type Option, specOperand } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { coloursFor, type PrintColours, printJson } from '../shared/print.ts';

const checkOption: Option = { flag: '--check', summary: 'Exit with 1 if something is not covered or not proven.' };
const markdownOption: Option = { flag: '--markdown', summary: 'Print a Markdown table.' };
const TITLE_CHARS_MAX = 100;
const COMMAND_CHARS_MAX = 200;
const NAMED_MAX = 20;

/** Follows requirements and criteria to the commands and commits that proved them (R-TRACE-1). */
export const coverage: Command = {
  operands: [specOperand],
  options: [checkOption, markdownOption, jsonOption],
  examples: [
    ['coverage', 'Shows which requirements of the active spec have a task, and which are proven.'],
    ['coverage login --check', 'Fails if something is not covered or not proven, for CI.'],
    ['coverage login --markdown', 'Prints a table for a pull request.'],
  ],
  details:
    'A requirement or criterion is covered if a task that does work names it, and proven if all tasks that name it were recorded by a run on this machine and the Verify command of at least one passed.',
  run: async (call) => {
    const host = hostOf(call);
    const place = await findSpec(host, call.operands[0]);
    const found = await coverageIn(place, host);
    const { name } = place.spec;
    if (isSet(call, '--json')) printJson(call.stdout, { v: 1, spec: name, ...found });
    else if (isSet(call, '--markdown')) call.stdout.write(coverageMarkdown(found));
    else show(call, found);
    return conclude(call, name, found);
  },
};

function show(call: Call, { requirements, criteria }: Coverage): void {
  const colours = coloursFor(call.stdout, call);
  const told = [...requirements, ...criteria].map((row) => `${rowLines(row, colours).join('\n')}\n`);
  call.stdout.write(told.join('\n'));
}

function rowLines(row: CoverageRow, colours: PrintColours): readonly string[] {
  const { id, title, priority, criteria, design, tasks, covered, proven } = row;
  const state = proven ? colours.green('proven') : covered ? colours.yellow('not proven') : colours.red('not covered');
  const named = priority === null ? '' : ` (${visibleLine(priority, TITLE_CHARS_MAX)})`;
  return [
    `${colours.bold(id)} ${visibleLine(title, TITLE_CHARS_MAX)}${named}: ${state}`,
    ...(criteria.length === 0 ? [] : [`  criteria: ${firstOf(criteria, NAMED_MAX)}`]),
    ...(design.length === 0 ? [] : [`  design: ${visibleLine(firstOf(design, NAMED_MAX), COMMAND_CHARS_MAX)}`]),
    ...tasks.map((task) => `  ${taskLine(task)}`),
  ];
}

function taskLine(task: CoveringTask): string {
  const { does, done, verify, proof } = task;
  const command = verify.command === null ? `Verify: ${verify.kind}` : visibleLine(verify.command, COMMAND_CHARS_MAX);
  return `${taskName(task)}${does === 'check' ? ' [VERIFY]' : ''}: ${command}: ${done ? proofText(task) : 'open'}${
    done && proof === null ? ', by no run on this machine' : ''
  }`;
}

function proofText({ proof, verify }: CoveringTask): string {
  if (proof === null) return 'ticked';
  const { exitCode, command, commit, attempt } = proof;
  const how = exitCode === null ? 'no command was run' : `exit ${exitCode}`;
  const changed = command !== null && command !== verify.command ? ', with another command than now' : '';
  return `${how}, commit ${shortHash(commit)}, attempt ${attempt}${changed}`;
}

function conclude(call: Call, name: string, { requirements, criteria, uncovered, unproven }: Coverage): number {
  const total = requirements.length + criteria.length;
  const proven = total - uncovered.length - unproven.length;
  call.stderr.write(
    `${counted(requirements.length, 'requirement')}, ${criteria.length} ${criteria.length === 1 ? 'criterion' : 'criteria'}: ${proven} of ${total} proven, ${uncovered.length} not covered.\n`,
  );
  if (!isSet(call, '--check') || uncovered.length + unproven.length === 0) return EXIT.ok;
  const parts = [
    ...(uncovered.length > 0
      ? [`Not covered: ${firstOf(uncovered, NAMED_MAX)}. Name each in the task that meets it.`]
      : []),
    ...(unproven.length > 0 ? [`Not proven: ${firstOf(unproven, NAMED_MAX)}. Run "specloop implement ${name}".`] : []),
  ];
  call.stderr.write(`${parts.join('\n')}\n`);
  return EXIT.stuck;
}
