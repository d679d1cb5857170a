import type { Plan, Task } from '../plan/data/task.ts';
import { parseForeign } from '../plan/foreign/parse.ts';
import { kiroRules } from '../plan/kiro/rules.ts';
import { withoutCommonIndent } from '../plan/read/fences.ts';
import type { ImportedTask, ImportedUnit, ImportReading } from './imported.ts';
import { readMarkdown, sectionsAt } from './sections.ts';

const OWN_FIELD = /^[ \t]*(?:[-*+][ \t]+)?_(?:requirements|depends(?: on)?|boundary)[ \t]?[:：]/i;

/** Reads the tasks of cc-sdd or Kiro, to leave that tool: groups and numbers are kept (R-DIA-7). */
export function readCcSdd(text: string): ImportReading {
  const plan = parseForeign(text, kiroRules);
  const file = readMarkdown(text);
  const units: ImportedUnit[] = [];
  for (const task of plan.tasks) {
    const group = plan.groups.find(({ children }) => children.includes(task.index));
    const last = units.at(-1);
    const made = importedTask(task);
    if (group?.id !== undefined && group.id !== null) {
      if (last?.source === group.id) units[units.length - 1] = { ...last, tasks: [...last.tasks, made] };
      else units.push({ source: group.id, group: group.title, rank: 0, tasks: [made] });
    } else units.push({ source: task.id, rank: 0, tasks: [made] });
  }
  return {
    ok: true,
    list: {
      ...{ kind: 'kiro', heading: file.items.headings.find(({ level }) => level === 1)?.text ?? 'Tasks', units },
      ...{ hasDependencies: false, gone: [], skipped: [] },
      dropped: sectionsAt(file, 2)
        .filter(({ line, end }) => !holdsTask(plan, line, end))
        .map(({ title }) => title),
    },
  };
}

function holdsTask({ tasks }: Plan, line: number, end: number): boolean {
  return tasks.some(({ box }) => box.line - 1 > line && box.line - 1 < end);
}

function importedTask(task: Task): ImportedTask {
  const [, ...below] = task.block.replaceAll('\r\n', '\n').split('\n');
  const body = withoutCommonIndent(below.filter((line) => !OWN_FIELD.test(line)))
    .join('\n')
    .trim();
  const boundary = /_boundary[ \t]?[:：][ \t]*([^\n]*?)_?[ \t]*$/im.exec(task.block)?.[1];
  return {
    ...{ source: task.id, title: task.title, state: task.state, optional: task.optional, parallel: task.parallel },
    ...(task.hasOwnId ? { id: task.id } : {}),
    ...{ dependsOn: task.dependsOn, do: [body], doneWhen: [], requirements: task.requirements },
    ...(boundary === undefined ? {} : { fields: [['Boundary', boundary]] }),
  };
}
