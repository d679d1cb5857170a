import type { BoxItem } from '../plan/foreign/items.ts';
import { readTitle } from '../plan/foreign/title.ts';
import type { ImportedTask, ImportedUnit, ImportReading } from './imported.ts';
import { bodyOf, type MarkdownFile, type MarkdownSection, readMarkdown, sectionsAt } from './sections.ts';

const TASKS = /^tasks\b/i;
const STORY = /^story$/i;
const CRITERIA = /^acceptance criteria/i;
const NOTES = /^dev notes/i;
const STATUS_LINE = /^status[ \t]*[:：]/im;
const CRITERION = /[ \t]*\(AC:?[ \t]*#?([\d, #]+)\)/i;
const NUMBER = /^task[ \t]+(\d+(?:\.\d+)*)[ \t]*[:.]?[ \t]*/i;

/** Reads a BMAD story: its tasks become the plan, story and criteria the requirements, the notes the design (R-DIA-7). */
export function readBmad(text: string, fileName: string): ImportReading {
  const file = readMarkdown(text);
  const sections = sectionsAt(file, 2);
  const tasks = sections.find(({ title }) => TASKS.test(title));
  if (tasks === undefined)
    return { ok: false, message: 'The story has no section "Tasks / Subtasks".', hint: 'Write its tasks first.' };
  const wanted = sections.filter(({ title }) => STORY.test(title) || CRITERIA.test(title));
  const notes = sections.filter(({ title }) => NOTES.test(title));
  const others = sections.filter(
    (section) => section !== tasks && !wanted.includes(section) && !notes.includes(section),
  );
  const whole = (chosen: readonly MarkdownSection[]) =>
    chosen.map((one) => `## ${one.title}\n\n${bodyOf(file, one)}\n`).join('\n');
  const heading = file.items.headings.find(({ level }) => level === 1)?.text ?? fileName;
  const hasStatus = STATUS_LINE.test(text) && !others.some(({ title }) => /^status$/i.test(title));
  const units = numberedTasks(drafts(file, tasks)).map(
    (task): ImportedUnit => ({ source: task.source, rank: 0, tasks: [task] }),
  );
  return {
    ok: true,
    list: {
      ...{ kind: 'bmad', name: fileName, heading, units, hasDependencies: false, gone: [], skipped: [] },
      dropped: [...(hasStatus ? ['Status'] : []), ...others.map(({ title }) => title)],
      ...(wanted.length === 0 ? {} : { requirements: `# Requirements: ${heading}\n\n${whole(wanted)}` }),
      ...(notes.length === 0 ? {} : { design: `# Design: ${heading}\n\n${whole(notes)}` }),
    },
  };
}

interface StoryTask {
  readonly text: string;
  readonly isDone: boolean;
  readonly steps: readonly string[];
}

/** Every heading `Task N` with boxes below, or else every outer box. */
function drafts(file: MarkdownFile, { line, end }: MarkdownSection): readonly StoryTask[] {
  const { source, items } = file;
  const boxes = items.boxes.filter((box) => box.line > line && box.line < end);
  const textOf = (box: BoxItem): string => readTitle(source, box).text;
  const isTicked = ({ mark }: BoxItem): boolean => mark.toLowerCase() === 'x';
  const headings = sectionsAt(file, 3).filter((one) => one.line > line && one.line < end && NUMBER.test(one.title));
  if (headings.length > 0)
    return headings.map((heading) => {
      const own = boxes.filter((box) => box.line > heading.line && box.line < heading.end);
      return { text: heading.title, isDone: own.length > 0 && own.every(isTicked), steps: own.map(textOf) };
    });
  return boxes
    .filter(({ parent }) => parent === undefined)
    .map((box, at, outer) => {
      const next = outer[at + 1]?.line ?? end;
      const nested = boxes.filter((other) => other.line > box.line && other.line < next);
      return { text: textOf(box), isDone: isTicked(box), steps: nested.map(textOf) };
    });
}

/** The number of a task is its id; without one, its position, or the next that is free. */
function numberedTasks(found: readonly StoryTask[]): readonly ImportedTask[] {
  const taken = new Set(found.flatMap(({ text }) => NUMBER.exec(withoutBold(text))?.[1] ?? []));
  return found.map(({ text, isDone, steps }, at) => {
    const plain = withoutBold(text);
    const criteria = CRITERION.exec(plain)?.[1]?.match(/\d+/g) ?? [];
    const written = NUMBER.exec(plain)?.[1];
    const title = plain.replace(CRITERION, '').replace(NUMBER, '').trim();
    const id = written ?? freeNumber(taken, at + 1);
    taken.add(id);
    return {
      ...{ source: id, id, title: title || `Task ${id}`, state: isDone ? 'done' : 'open', dependsOn: [] },
      ...{ do: steps, doneWhen: [], requirements: criteria.map((number) => `AC${number}`) },
    };
  });
}

function freeNumber(taken: ReadonlySet<string>, from: number): string {
  let number = from;
  while (taken.has(String(number))) number++;
  return String(number);
}

function withoutBold(text: string): string {
  return text.replace(/^\*\*(.+?)\*\*/, '$1').trim();
}
