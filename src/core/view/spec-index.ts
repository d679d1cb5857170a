import { escapeCell, escapeMarkdown } from '../plan/edit/escape.ts';
import { withOurPart } from '../text/between-marks.ts';

/** A spec as the index of all specs lists it (R-ADV-3). */
export interface IndexedSpec {
  readonly name: string;
  /** Path of its folder, relative to the repository. */
  readonly path: string;
  readonly state: 'planning' | 'tasks' | 'completed';
  /** Tasks of its plan, and how many are done; null without a plan. */
  readonly total: number | null;
  readonly done: number | null;
  /** The branch and the pull request of its newest run, as far as this machine knows them. */
  readonly branch: string | null;
  readonly pullRequest: string | null;
}

/** The index as JSON for programs. The same specs give the same bytes. */
export function indexJson(specs: readonly IndexedSpec[]): string {
  return `${JSON.stringify({ v: 1, specs }, undefined, 2)}\n`;
}

/** The index as Markdown for people, between two marks: what else the file holds stays as it is. */
export function indexMarkdown(before: string | undefined, specs: readonly IndexedSpec[]): string {
  const rows = specs.map(({ name, path, state, total, done, branch, pullRequest }) => {
    const tasks = total === null ? '' : `${done} of ${total}`;
    const link = pullRequest === null ? '' : `<${pullRequest.replace(/[<>\s|]/g, '')}>`;
    return `| [${escapeMarkdown(name)}](${linkTo(path)}) | ${state} | ${tasks} | ${escapeCell(branch ?? '')} | ${link} |`;
  });
  const table = ['| spec | state | tasks done | branch | pull request |', '|---|---|---|---|---|', ...rows].join('\n');
  return `${withOurPart(before ?? '# Specs\n', table).trimEnd()}\n`;
}

/** From the folder of the index, which is `<root>/.index`, to a spec below the repository. */
function linkTo(path: string): string {
  return `../${path.slice(path.lastIndexOf('/') + 1)}/`;
}
