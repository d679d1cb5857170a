import { escapeCell } from '../plan/edit/escape.ts';
import { shortHash } from '../text/words.ts';
import type { Coverage, CoverageRow, CoveringTask } from './coverage.ts';

/** Coverage as a Markdown table, for a pull request or a report. */
export function coverageMarkdown({ requirements, criteria }: Coverage): string {
  const head = ['| | | Design | Tasks | Verify | Proven |', '|---|---|---|---|---|---|'];
  return `${[...head, ...[...requirements, ...criteria].map(rowLine)].join('\n')}\n`;
}

function rowLine({ id, title, design, tasks, covered, proven }: CoverageRow): string {
  const work = tasks.map((task) => task.id).join(', ');
  const commands = tasks.flatMap(({ verify }) => (verify.command === null ? [] : [code(verify.command)]));
  const commits = tasks.flatMap(proofText);
  const state = proven ? `yes: ${commits.join(', ')}` : covered ? 'no' : 'no task';
  const cells = [
    id,
    escapeCell(title),
    escapeCell(design.join(', ')),
    work,
    [...new Set(commands)].join('<br>'),
    state,
  ];
  return `| ${cells.join(' | ')} |`;
}

function proofText({ proof }: CoveringTask): readonly string[] {
  return proof === null ? [] : [shortHash(proof.commit)];
}

function code(command: string): string {
  const text = command.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const marks = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return marks.length === 1 ? `\`${text}\`` : `${marks} ${text} ${marks}`;
}
