import { oneLine } from '../text/sanitise.ts';
import { type AnswerLine, answerLines, LIST_MARKS } from './lines.ts';
import { holdsOnly, SIGNALS } from './signals.ts';

/** What a reviewer wants changed (R-VER-7), a finding a line. */
export interface Findings {
  /** About the code: they become fix tasks. */
  readonly code: readonly string[];
  /** About the spec's documents: they are noted for a person. */
  readonly spec: readonly string[];
}

interface Item {
  readonly words: string[];
  readonly underSpec: boolean;
  readonly underFeedback: boolean;
}

const FINDINGS_MAX = 20;
const FINDING_CHARS_MAX = 500;
/** Of the text before it is made one line; keeps a finding that holds a whole log cheap. */
const ITEM_CHARS_MAX = 4 * FINDING_CHARS_MAX;

const FEEDBACK =
  /\b(?:feedback|findings?|issues?|problems?|revisions?|required changes|must fix|blockers?|defects?)\b/i;
const PRAISING = /\b(?:strengths?|summary|verdict|passed|praise|what (?:works|is good))\b/i;
const ABOUT_CODE = /\b(?:code|implementation|tests?)\b/i;
const ABOUT_SPEC = /\b(?:spec|specification|requirements?|design|research|plan|tasks\.md)\b/i;
const SPEC_FILE = /\b(?:requirements|design|research|tasks)\.md\b/i;
/** A path with an ending other than `.md`, or a place in a file: then the finding is about the code it names. */
const CODE_PLACE =
  /[\w/-]\.(?!md\b)[a-z]{1,5}:\d|[\w-]\/[\w./-]*\.(?!md\b)[a-z]{1,5}\b|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|c|h|cpp|cs|sh|sql|css|html|vue|php|kt|swift)\b/i;
const TAG = /^[*_`]*\[(spec|code)\][*_`]*:?[ \t]*/i;
const PRAISE = /^(?:✅|✔|✓|☑|\[[xX]\]|[*_]*(?:PASS|OK)\b)/u;

/**
 * Reads the findings out of a reviewer's final answer (R-VER-7): the list items below a heading such as "Feedback for
 * Revision"; without such a heading all list items; without any, the whole text as one finding. An item tagged `[spec]`,
 * below a heading about the spec, or naming one of its documents and no code, is about the spec. At most 20 of each
 * kind, 500 UTF-16 units a finding.
 */
export function readFindings(finalAnswer: string): Findings {
  const lines = answerLines(finalAnswer).filter((line) => line.kind !== 'quote' && line.kind !== 'comment');
  const items = itemsOf(lines.filter((line) => !isVerdict(line)));
  const asked = items.filter((item) => item.underFeedback);
  const chosen = (asked.length > 0 ? asked : items).filter(({ words }) => !PRAISE.test(words.join(' ')));
  const found = chosen.length > 0 ? chosen : [wholeText(lines)];
  const sorted = found.map(judged).filter(({ finding }) => finding !== '');
  const of = (spec: boolean) =>
    sorted
      .filter(({ isSpec }) => isSpec === spec)
      .map(({ finding }) => finding)
      .slice(0, FINDINGS_MAX);
  return { code: of(false), spec: of(true) };
}

function isVerdict(line: AnswerLine): boolean {
  return holdsOnly(line, [...SIGNALS.reviewer.positive, ...SIGNALS.reviewer.negative]);
}

function wholeText(lines: readonly AnswerLine[]): Item {
  const words = lines.filter((line) => !isVerdict(line)).map(({ text }) => text);
  return { words, underSpec: false, underFeedback: false };
}

function judged({ words, underSpec }: Item): { readonly finding: string; readonly isSpec: boolean } {
  const text = words.join(' ').slice(0, ITEM_CHARS_MAX).trim();
  const tag = TAG.exec(text);
  const finding = oneLine(text.slice(tag?.[0].length ?? 0), FINDING_CHARS_MAX);
  if (tag !== null) return { finding, isSpec: tag[1]?.toLowerCase() === 'spec' };
  return { finding, isSpec: (underSpec || SPEC_FILE.test(finding)) && !CODE_PLACE.test(finding) };
}

/** The list items of an answer with the lines that belong to them, and what the headings above them say. */
function itemsOf(lines: readonly AnswerLine[]): readonly Item[] {
  const items: Item[] = [];
  let headings: readonly Heading[] = [];
  let current: Item | undefined;
  let afterBlank = false;
  for (const { text, kind } of lines) {
    const heading = kind === 'prose' ? headingOf(text) : undefined;
    if (heading !== undefined) {
      headings = [...headings.filter(({ level }) => level < heading.level), heading];
      current = undefined;
    } else if (kind === 'prose' && startsItem(text)) {
      current = { words: [text.replace(LIST_MARKS, '')], ...standing(headings) };
      items.push(current);
    } else if (afterBlank && kind === 'prose' && /^\S/.test(text)) current = undefined;
    else current?.words.push(text.trim());
    afterBlank = text.trim() === '';
  }
  return items;
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

const BOLD_LEVEL = 7;

/** A `#` heading, or a line that is bold or ends in a colon and nothing else, which stands below every `#`. */
function headingOf(text: string): Heading | undefined {
  const hashes = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(text);
  if (hashes !== null) return { level: hashes[1]?.length ?? 1, title: hashes[2] ?? '' };
  const bold = /^\*\*([^*]{1,100})\*\*:?$|^([A-Z][^.:]{1,60}):$/.exec(text.trim());
  return bold === null || startsItem(text) ? undefined : { level: BOLD_LEVEL, title: bold[1] ?? bold[2] ?? '' };
}

/** An item of the outer list; deeper ones go on with it. */
function startsItem(text: string): boolean {
  return /^ ?(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text);
}

function standing(headings: readonly Heading[]): { readonly underSpec: boolean; readonly underFeedback: boolean } {
  const titles = headings.map(({ title }) => title);
  const subject = titles.findLast((title) => ABOUT_SPEC.test(title) || ABOUT_CODE.test(title)) ?? '';
  const underFeedback = titles.some((title) => FEEDBACK.test(title)) && !PRAISING.test(titles.at(-1) ?? '');
  return { underSpec: ABOUT_SPEC.test(subject) && !ABOUT_CODE.test(subject), underFeedback };
}
