import type { Group, Task } from './task.ts';

/** The styles of task files that the reader tells apart (R-DIA-1); `markdown` when unsure. */
export type Dialect = 'ralph-specum' | 'spec-kit' | 'kiro' | 'cc-sdd' | 'openspec' | 'plain-checklist' | 'markdown';

/** What the guess rests on. */
interface DialectEvidence {
  readonly text: string;
  readonly tasks: readonly Task[];
  readonly groups: readonly Group[];
}

const SAMPLE = 200;
const SPECUM_MARKER = /^(?:VERIFY|SEQUENTIAL|RED|GREEN|YELLOW|FIX)/;

/** Guesses in whose style a file is written, from its first tasks. */
export function guessDialect(file: DialectEvidence): Dialect {
  const tasks = file.tasks.slice(0, SAMPLE);
  const share = (test: (task: Task) => boolean): number => tasks.filter(test).length / Math.max(1, tasks.length);
  if (tasks.length === 0) return 'markdown';
  if (share((task) => task.hasOwnId) < 0.5) return share(hasSpecumFields) > 0.3 ? 'ralph-specum' : 'plain-checklist';
  if (share((task) => /^T\d/.test(task.id)) > 0.5) return 'spec-kit';
  if (share(hasSpecumFields) > 0.2 || tasks.some((task) => task.markers.some((marker) => SPECUM_MARKER.test(marker))))
    return 'ralph-specum';
  if (tasks.some((task) => /\(P\)/i.test(firstLine(task))) || /_(?:Boundary|Depends):/.test(file.text)) return 'cc-sdd';
  if (tasks.some((task) => /\[[ xX~-]\]\\?\*[ \t]/.test(firstLine(task))) || hasRequirements(tasks, share))
    return 'kiro';
  const numbered = share(
    (task) => task.phase !== undefined && task.id.startsWith(`${Number.parseInt(task.phase, 10)}.`),
  );
  if (numbered > 0.5) return 'openspec';
  return share((task) => task.boxes === undefined && task.filesKnown) > 0.2 ? 'ralph-specum' : 'markdown';
}

function hasSpecumFields(task: Task): boolean {
  return (
    task.doneWhen !== undefined ||
    task.steps !== undefined ||
    task.verifyText !== undefined ||
    task.commitKind !== 'missing'
  );
}

function hasRequirements(tasks: readonly Task[], share: (test: (task: Task) => boolean) => number): boolean {
  return tasks.length > 0 && share((task) => task.requirements.length > 0) > 0.3;
}

function firstLine(task: Task): string {
  const end = task.block.indexOf('\n');
  return end < 0 ? task.block : task.block.slice(0, end);
}
