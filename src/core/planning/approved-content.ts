import type { Drafted } from '../plan/data/step.ts';
import { parsePlan } from '../plan/read/parse.ts';

const FRONT_MATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;

/**
 * What of a document an approval is bound to (R-GATE-2): its text without front matter, line ends aside. Of a plan the blocks of
 * its tasks, without the state of their boxes and without fix tasks, as execution changes those.
 */
export function approvedContent(artifact: Drafted, text: string): string {
  const body = text
    .replace(FRONT_MATTER, '')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  if (artifact !== 'tasks') return body;
  const { tasks } = parsePlan(body);
  const blocks = tasks
    .filter(({ fixes }) => fixes === undefined)
    .map(({ block, box, span }) => withoutMark(block, box.offset - span.start));
  return blocks.length === 0 ? body : blocks.join('\n');
}

function withoutMark(block: string, at: number): string {
  return `${block.slice(0, at)} ${block.slice(at + 1)}`;
}
