import { oneLine } from '../text/sanitise.ts';
import { findAdmission } from './contradiction.ts';
import { findDoubts } from './doubt.ts';
import { type AnswerLine, answerLines, LIST_MARKS } from './lines.ts';
import { holdsOnly, isNegative, readSignals, SIGNALS } from './signals.ts';

/** What a reviewer's final answer comes to (R-VER-7). */
export interface ReviewAnswer {
  /** `none`: no signal, or a failure without a finding that could be read; the round has to be asked again. */
  readonly verdict: 'pass' | 'fail' | 'none';
  readonly findings: Findings;
  /** Of a pass: sentences that say that the reviewer did not look, or not at all of it (R-VER-11). */
  readonly doubts?: readonly string[];
}

/** What a reviewer wants changed (R-VER-7), a finding a line. */
export interface Findings {
  /** About the code: they become fix tasks. */
  readonly code: readonly string[];
  /** About the spec's documents: they are noted for a person. */
  readonly spec: readonly string[];
}

interface Item {
  readonly words: string[];
  readonly underFeedback: boolean;
}

const FINDINGS_MAX = 20;
const FINDING_CHARS_MAX = 500;
/** Of the text before it is made one line; keeps a finding that holds a whole log cheap. */
const ITEM_CHARS_MAX = 4 * FINDING_CHARS_MAX;

const FEEDBACK =
  /\b(?:feedback|findings?|issues?|problems?|revisions?|required changes|must fix|blockers?|defects?)\b/i;
const PRAISING = /\b(?:strengths?|summary|verdict|passed|praise|what (?:works|is good))\b/i;
const DOCUMENT = '(?:the )?`?(?:(?:requirements|design|research|tasks)(?:\\.md)?|spec(?:ification)?)`?(?: documents?)?';
/** What may follow a document that is meant as a whole; another noun makes something else of it: "the requirements parser". */
const AS_A_WHOLE = '(?=\\s*(?:$|[.,;:()!–—]|(?:to|so|with|and|or|but|for|about|in|on|regarding|section)\\b))';
/** That a document has to change. A mere mention of one says against what the code was judged. */
const CHANGE_OF_DOCUMENT = new RegExp(
  [
    `^(?:please )?(?:update|change|amend|clarify|extend|correct|revise|reword) ${DOCUMENT}${AS_A_WHOLE}`,
    `^${DOCUMENT} (?:itself )?(?:should|must|needs? to|has to|have to|ought to) (?:be (?:updated|changed|amended|clarified|extended|corrected|revised|reworded)|say|state|define|name|specify|change)(?!\\w)`,
  ].join('|'),
  'i',
);
/** Where another clause begins. */
const CLAUSE = /[;:,]|\s[–—-]\s|[.!?]\s|\b(?:and|but|or|while|although|though|since|because|which|whereas)\b/i;
/** A clause that speaks of documents still. */
const OF_DOCUMENTS = new RegExp(
  `^\\s*(?:$|["'(]|(?:it|they|this|what|who|how|when|whether|where|why|not|there|both|to|in)\\b|(?:(?:the|its) )?(?:N?FR|AC|US|section|criteri(?:on|a)|wording|requirement)\\b|${DOCUMENT}${AS_A_WHOLE}|${DOCUMENT} (?:is|are|says?|does|do|names?|has|have|should|must)\\b)`,
  'i',
);
/** A path with an ending other than `.md`, or a place in a file: then the finding is about the code it names. */
const CODE_PLACE =
  /[\w/-]\.(?!md\b)[a-z]{1,5}:\d|[\w-]\/[\w./-]*\.(?!md\b)[a-z]{1,5}\b|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|c|h|cpp|cs|sh|sql|css|html|vue|php|kt|swift)\b/i;
const TAG = /^[*_`]*\[(spec|code)\][*_`]*:?[ \t]*/i;
const PRAISE = /^(?:✅|✔|✓|☑|\[[xX]\]|[*_]*(?:PASS|OK)\b)/u;

/**
 * Reads a reviewer's final answer (R-DEL-4, R-VER-7): a pass only as its last line, a failure wherever its word is
 * alone on a line. A failure never passes: without a finding that can be read, the answer is no verdict. Nor is a pass
 * next to an admission.
 */
export function readReview(finalAnswer: string, admissions: readonly string[] = []): ReviewAnswer {
  const { positive, negative } = readSignals(finalAnswer, 'reviewer');
  const findings: Findings = negative ? readFindings(finalAnswer) : { code: [], spec: [] };
  if (negative) return { verdict: findings.code.length + findings.spec.length > 0 ? 'fail' : 'none', findings };
  if (!positive || findAdmission(finalAnswer, admissions) !== undefined) return { verdict: 'none', findings };
  const doubts = findDoubts(finalAnswer, { role: 'reviewer' });
  return { verdict: 'pass', findings, ...(doubts.length === 0 ? {} : { doubts }) };
}

/**
 * Reads the findings out of a reviewer's final answer (R-VER-7): the list items below a heading such as "Feedback for
 * Revision"; without such a heading all list items; without any, the whole text as one finding, at last with what it
 * quotes. An item is about the spec if it is tagged `[spec]`, or says that a document has to change and names no code; in
 * doubt it is about the code. At most 20 of each kind, 500 UTF-16 units a finding.
 */
export function readFindings(finalAnswer: string): Findings {
  const said = answerLines(finalAnswer).filter((line) => line.kind !== 'comment' && !isVerdict(line));
  const lines = said.filter(({ kind }) => kind !== 'quote');
  const items = itemsOf(lines);
  const asked = items.filter((item) => item.underFeedback);
  const chosen = (asked.length > 0 ? asked : items).filter(({ words }) => !PRAISE.test(words.join(' ')));
  const whole = [wholeText(lines), wholeText(said)];
  const found = chosen.length > 0 ? chosen : whole.filter(({ words }) => words.join('').trim() !== '').slice(0, 1);
  const sorted = found.map(judged).filter(({ finding }) => finding !== '');
  const of = (spec: boolean) =>
    sorted
      .filter(({ isSpec }) => isSpec === spec)
      .map(({ finding }) => finding)
      .slice(0, FINDINGS_MAX);
  return { code: of(false), spec: of(true) };
}

function isVerdict(line: AnswerLine): boolean {
  return isNegative(line) || holdsOnly(line, SIGNALS.reviewer.positive);
}

function wholeText(lines: readonly AnswerLine[]): Item {
  return { words: lines.map(({ text }) => text.replace(/^[ \t]*(?:>[ \t]?)+/, '')), underFeedback: false };
}

function judged({ words }: Item): { readonly finding: string; readonly isSpec: boolean } {
  const text = words.join(' ').slice(0, ITEM_CHARS_MAX).trim();
  const tag = TAG.exec(text);
  const finding = oneLine(text.slice(tag?.[0].length ?? 0), FINDING_CHARS_MAX);
  if (tag !== null) return { finding, isSpec: tag[1]?.toLowerCase() === 'spec' };
  return { finding, isSpec: isOfSpec(finding) };
}

/** All of it says that documents have to change; in doubt a finding is about the code (R-DEL-4). */
function isOfSpec(finding: string): boolean {
  if (!CHANGE_OF_DOCUMENT.test(finding) || CODE_PLACE.test(finding)) return false;
  const [, ...others] = finding.split(CLAUSE);
  return others.every((clause) => OF_DOCUMENTS.test(clause));
}

/** The list items of an answer with the lines that belong to them, and whether the headings above them ask for a change. */
function itemsOf(lines: readonly AnswerLine[]): readonly Item[] {
  const items: Item[] = [];
  let headings: readonly FindingHeading[] = [];
  let current: Item | undefined;
  let afterBlank = false;
  for (const { text, kind } of lines) {
    const heading = kind === 'prose' ? headingOf(text) : undefined;
    if (heading !== undefined) {
      headings = [...headings.filter(({ level }) => level < heading.level), heading];
      current = undefined;
    } else if (kind === 'prose' && startsItem(text)) {
      current = { words: [text.replace(LIST_MARKS, '')], underFeedback: asksForChange(headings) };
      items.push(current);
    } else if (afterBlank && kind === 'prose' && /^\S/.test(text)) current = undefined;
    else current?.words.push(text.trim());
    afterBlank = text.trim() === '';
  }
  return items;
}

interface FindingHeading {
  readonly level: number;
  readonly title: string;
}

const BOLD_LEVEL = 7;

/** A `#` heading, or a line that is bold or ends in a colon and nothing else, which is below every `#`. */
function headingOf(text: string): FindingHeading | undefined {
  const hashes = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(text);
  if (hashes !== null) return { level: hashes[1]?.length ?? 1, title: hashes[2] ?? '' };
  const bold = /^\*\*([^*]{1,100})\*\*:?$|^([A-Z][^.:]{1,60}):$/.exec(text.trim());
  return bold === null || startsItem(text) ? undefined : { level: BOLD_LEVEL, title: bold[1] ?? bold[2] ?? '' };
}

/** An item of the outer list; deeper ones go on with it. */
function startsItem(text: string): boolean {
  return /^ ?(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text);
}

function asksForChange(headings: readonly FindingHeading[]): boolean {
  const titles = headings.map(({ title }) => title);
  return titles.some((title) => FEEDBACK.test(title)) && !PRAISING.test(titles.at(-1) ?? '');
}
