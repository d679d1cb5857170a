import { withoutInvisibles } from '../text/sanitise.ts';
import { answerLines, inlineSpans, LIST_MARKS } from './lines.ts';

/** Stands for code and quotations, so that the words around them do not move together. */
export const MASK = '\u25aa';
/** Stands for code that keeps a check from failing: that an agent names it may be a sign, whatever else code says is none. */
export const WEAKENING_MASK = '\u25ab';
const WEAKENING = new RegExp(
  `^\`+\\s*(?:${[
    '--no-verify|--passWithNoTests|--no-strict|set \\+e',
    'true|return true;?|echo ok|exit 0|[^`]*\\|\\| *(?:true|exit 0|:)|expect\\(true\\).*',
    '(?:it|test|describe)?\\.(?:skip|todo|only)\\b.*|x(?:it|test|describe|fail)|@?pytest\\.mark\\.(?:skip|xfail).*|@(?:Ignore|Disabled|unittest\\.skip.*)',
    '(?://|#|/\\*)?\\s*(?:@?ts-(?:ignore|nocheck|expect-error)|eslint-disable.*|noqa.*|type: ignore.*|nosec)|as any',
    '(?:continue-on-error|allow_failure|skipLibCheck): true|strict: false',
  ].join('|')})\\s*\`+$`,
  'i',
);
const QUOTED = /(?<![\w"])"[^"\n]{1,300}"(?!\w)|“[^”\n]{1,300}”|«[^»\n]{1,300}»/g;
/** The agent's own words, a paragraph, list item or heading each, with code spans and quotations masked. */
export function passages(answer: string): readonly string[] {
  const found: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) found.push(masked(open.join('\n')));
    open = [];
  };
  for (const { text, kind } of answerLines(answer)) {
    const own = kind === 'prose' || kind === 'span' || kind === 'unclosed';
    const marks = LIST_MARKS.exec(text)?.[0] ?? '';
    const isHeading = /^[ \t]*#{1,6}[ \t]/.test(text);
    if (!own || text.trim() === '' || isHeading || marks.trim() !== '') close();
    if (own && text.trim() !== '') open.push(text.slice(marks.length));
    if (isHeading) close();
  }
  close();
  return found;
}

function masked(passage: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of inlineSpans(passage)) {
    parts.push(passage.slice(from, start), WEAKENING.test(passage.slice(start, end)) ? WEAKENING_MASK : MASK);
    from = end;
  }
  parts.push(passage.slice(from));
  return withoutInvisibles(parts.join('')).replace(QUOTED, MASK);
}
