import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PLAN_BYTES_MAX } from '../../adapters/store/plan-format.ts';
import { readText } from '../../adapters/store/read-text.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import { formatOf } from '../../core/plan/dialects/formats.ts';
import { CHECKLISTS_FOLDER } from '../../core/spec-files.ts';

/** A checklist of spec-kit about the text of a spec, with boxes that no one ticked. */
export interface OpenChecklist {
  /** Relative to the repository's root. */
  readonly path: string;
  /** Line of the first open box, from 1. */
  readonly line: number;
  readonly open: number;
}

/** The open checklists of a spec of spec-kit: a matter of people, which stops nothing and is never ticked (R-DIA-3). */
export function openChecklists({ dir, path, format, isSingleFile }: SpecFolder): readonly OpenChecklist[] {
  if (format.dialect !== 'spec-kit' || isSingleFile) return [];
  return filesIn(join(dir, CHECKLISTS_FOLDER)).flatMap((name) => {
    const open = boxesIn(join(dir, CHECKLISTS_FOLDER, name));
    const [first] = open;
    return first === undefined
      ? []
      : [{ path: `${path}/${CHECKLISTS_FOLDER}/${name}`, line: first, open: open.length }];
  });
}

/** What is said of them once, when a run starts. */
export function checklistNotes(spec: SpecFolder): readonly string[] {
  return openChecklists(spec).map(
    ({ path, open }) =>
      `${path} has ${open === 1 ? 'an open box' : `${open} open boxes`}. That checklist is for people: it is neither run nor ticked.`,
  );
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return []; // There is no such folder.
  }
}

/** The lines of open boxes. A file that cannot be read says nothing. */
function boxesIn(path: string): readonly number[] {
  try {
    const { tasks } = formatOf('checklist').parse(readText(path, PLAN_BYTES_MAX) ?? '');
    return tasks.filter(({ checked }) => !checked).map(({ box }) => box.line);
  } catch {
    return [];
  }
}
