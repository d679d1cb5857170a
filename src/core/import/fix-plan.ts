import { readTitle } from '../plan/foreign/title.ts';
import type { ImportedUnit, ImportReading } from './imported.ts';
import { readMarkdown, sectionsAt } from './sections.ts';

const OPTIONAL = /^(?:optional|future|nice to have)\b/i;
/** A box whose brackets were escaped, as formatters do. */
const ESCAPED = /^\\\[([ xX])\\\][ \t]+/gm;

/** Reads a fix plan of Ralph: its sections are phases, its outer boxes tasks (R-DIA-7). */
export function readFixPlan(text: string): ImportReading {
  const file = readMarkdown(text.replaceAll('\r\n', '\n').replace(ESCAPED, '- [$1] '));
  const { source, items } = file;
  const sections = sectionsAt(file, 2);
  const boxesIn = ({ line, end }: { readonly line: number; readonly end: number }) =>
    items.boxes.filter((box) => box.line > line && box.line < end);
  const withBoxes = sections.filter((section) => boxesIn(section).length > 0);
  const units = withBoxes.flatMap((section, phase) => {
    const boxes = boxesIn(section);
    const outer = boxes.filter(({ parent }) => parent === undefined);
    return outer.map((box, at): ImportedUnit => {
      const id = `${phase + 1}.${at + 1}`;
      const next = outer[at + 1]?.line ?? section.end;
      const steps = boxes
        .filter((other) => other.line > box.line && other.line < next)
        .map((other) => readTitle(source, other).text);
      const isDone = box.mark.toLowerCase() === 'x';
      const task = {
        ...{
          source: id,
          id,
          title: readTitle(source, box).text,
          state: isDone ? ('done' as const) : ('open' as const),
        },
        ...{ optional: OPTIONAL.test(section.title), dependsOn: [], do: steps, doneWhen: [] },
      };
      return { source: id, rank: 0, phase: section.title, tasks: [task] };
    });
  });
  return {
    ok: true,
    list: {
      ...{
        kind: 'fix-plan',
        name: 'fix-plan',
        heading: items.headings.find(({ level }) => level === 1)?.text ?? 'Fix plan',
      },
      ...{ units, hasDependencies: false, gone: [], skipped: [] },
      dropped: sections.filter((section) => !withBoxes.includes(section)).map(({ title }) => title),
    },
  };
}
