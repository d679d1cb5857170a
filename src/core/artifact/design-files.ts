import type { ArtifactText } from './artifact-text.ts';
import { sectionsOf } from './check-sections.ts';
import { isFilePath, type NamedPath, pathsInSpans } from './path-words.ts';
import { splitRow } from './requirements.ts';
import type { HeadingAliases } from './section-names.ts';

/** A file that a design lists, and what becomes of it. */
export interface DesignFile extends NamedPath {
  readonly action?: 'create' | 'modify' | 'delete';
}

const ACTIONS: readonly (readonly [RegExp, NonNullable<DesignFile['action']>])[] = [
  [/^\W*(?:create|creates|new|add|added)\b/i, 'create'],
  [/^\W*(?:modify|modifies|modified|update|updated?|edit|change|changed|extend|refactor|rewrite)\b/i, 'modify'],
  [/^\W*(?:delete|deleted|remove|removed)\b/i, 'delete'],
];
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/** The files that the design lists in its sections about files, each once. */
export function designFiles(artifact: ArtifactText, aliases: HeadingAliases): readonly DesignFile[] {
  const found = new Map<string, DesignFile>();
  for (const { line: from, end } of sectionsOf(artifact, 'design.files', aliases)) {
    for (let line = from + 1; line <= end; line++) {
      for (const file of filesIn(artifact.lines[line - 1] ?? '', line))
        if (!found.has(file.path)) found.set(file.path, file);
    }
  }
  return [...found.values()];
}

function filesIn(text: string, line: number): readonly DesignFile[] {
  if (text.trimStart().startsWith('|')) return rowFiles(text, line);
  const mark = ITEM.exec(text)?.[0].length;
  if (mark === undefined) return [];
  const item = text.slice(mark);
  const [first] = pathsInSpans(item, line);
  if (first === undefined || first.column > 30) return [];
  const column = mark + first.column;
  const noted = /[([](\w+)/.exec(item.slice(first.column + first.path.length))?.[1] ?? '';
  return [withAction({ ...first, column }, [item, noted])];
}

/** The file of a row is in its first cell that names one; what becomes of it, in any other. */
function rowFiles(text: string, line: number): readonly DesignFile[] {
  const cells = splitRow(text);
  for (const [at, cell] of cells.entries()) {
    const bare = cell.replace(/[*_~]/g, '');
    const [path] = pathsInSpans(cell, line).map((named) => named.path);
    const named = path ?? (isFilePath(bare) ? bare : undefined);
    if (named === undefined) continue;
    const others = cells.filter((_, other) => other !== at);
    return [withAction({ path: named, line, column: Math.max(1, text.indexOf(named) + 1) }, others)];
  }
  return [];
}

function withAction(file: NamedPath, texts: readonly string[]): DesignFile {
  const action = texts.flatMap((text) => ACTIONS.find(([pattern]) => pattern.test(text))?.[1] ?? [])[0];
  return action === undefined ? file : { ...file, action };
}
