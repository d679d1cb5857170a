import type { Task } from '../data/task.ts';
import type { Source } from '../read/fields.ts';
import { afterListMark } from '../read/line-forms.ts';
import { firstInk, lineText, splitLines, startOf, withLineFeeds } from '../read/lines.ts';
import { readVisibility } from '../read/visibility.ts';

/** How a task is written: what a new one next to it has to look like (R-DIA-6). */
export interface TaskShape {
  /** White space before the list mark. */
  readonly indent: string;
  /** The list mark, such as `-` or `1.`. */
  readonly bullet: string;
  /** What a line below it begins with, up to the text of its bullet: white space, bullet and one blank. */
  readonly detail: string;
}

const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]/;

/** The block of a task as text to look at, with LF line breaks. */
export function sourceOfBlock({ block }: Pick<Task, 'block'>): Source {
  const lines = splitLines(withLineFeeds(block));
  return { lines, kinds: readVisibility(lines).kinds };
}

/** Reads indentation and bullets off a task; a heading has those of a list at the left edge. */
export function shapeOf(task: Pick<Task, 'block' | 'boxes'>): TaskShape {
  const source = sourceOfBlock(task);
  const [, indent = '', bullet = '-'] = (task.boxes === undefined && ITEM.exec(lineText(source.lines, 0))) || [];
  if (task.boxes !== undefined) return { indent: '', bullet: '-', detail: '- ' };
  const isOrdered = /\d/.test(bullet);
  const step = indent.includes('\t') ? '\t' : ' '.repeat(isOrdered ? bullet.length + 1 : 2);
  const plain = `${indent}${step}${isOrdered ? '-' : bullet} `;
  return { indent, bullet, detail: firstDetail(source, indent.length) ?? plain };
}

function firstDetail({ lines, kinds }: Source, indent: number): string | undefined {
  for (let line = 1; line < lines.count; line++) {
    if (kinds[line] !== 'text' || afterListMark(lines.text, startOf(lines, line)) === undefined) continue;
    const found = ITEM.exec(lineText(lines, line));
    if (found === null || firstInk(lines, line) - startOf(lines, line) <= indent) return undefined;
    const mark = found[2] ?? '-';
    return `${found[1]}${/\d/.test(mark) ? '-' : mark} `;
  }
  return undefined;
}
