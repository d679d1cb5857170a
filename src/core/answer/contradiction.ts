import { escapeForPattern } from '../text/pattern.ts';
import { oneLine } from '../text/sanitise.ts';
import { answerLines, inlineSpans, LIST_MARKS } from './lines.ts';

/** The phrases that admit failure unless a person configures others (R-VER-2). */
export const DEFAULT_ADMISSIONS: readonly string[] = [
  'requires manual',
  'cannot be automated',
  'could not complete',
  'needs human',
  'manual intervention',
];

/** Stands for code and quotations, so that the words around them do not move together. */
const MASK = '\u25aa';
const QUOTED = /(?<![\w"])"[^"\n]{1,300}"(?!\w)|“[^”\n]{1,300}”|«[^»\n]{1,300}»/g;
const LOOK_BACK_CHARS = 240;
const LOOK_AHEAD_CHARS = 80;
const SENTENCE_CHARS_MAX = 200;

/** Words that open a subordinate clause: what is denied there says nothing about the main clause behind it. */
const LEADS = 'because|since|as|given|with|having|if|when|while|whereas|after|before|once|until|due to';
const BREAKS = 'but|however|although|though|so|therefore|thus|hence|then|which means|meaning|except|unless|apart from';
const BOUNDARY = new RegExp(
  `[.!?](?=\\s)|[;:,()|]|\\s[-–—]+\\s|—|\\b(?:${LEADS}|${BREAKS}|and)\\b|(?=\\bnor\\b)`,
  'gi',
);
const LEAD = new RegExp(`^(?:${LEADS})$`, 'i');
const NEGATOR =
  /\b(?:not(?!\s+(?:only|just)\b)|no(?!\s+(?:doubt|question)\b)|never|none|nothing|nobody|nowhere|without|neither|nor|cannot|instead of|rather than|free of|avoid(?:s|ed|ing)?|eliminat\w+|remov\w+|replac\w+|zero)\b|n['’]t\b/gi;
const NEW_SUBJECT = /\b(?:i|we|it|he|she|they|this|you)\s+(?:\w+\s+)?$/i;
const VERB_FIRST = /^(?:requires?|needs?|can|cannot|could|can['’]t|couldn['’]t)\b/i;
/** The phrase is the subject of a clause of its own. */
const OWN_VERB = /^\s+(?:is|was|will be|would be|has been)\b/i;
const NOT_A_PERSON = /^[-\s]+(?:readable|friendly|sized|like|written)\b/i;

const DENIED_AFTER = new RegExp(
  [
    "^[^.!?;,]{0,30}?(?:\\bnot|n['’]t|\\bnever|\\bno longer)\\s+(?:\\w+\\s+){0,2}(?:needed|required|necessary|expected|involved)\\b",
    '^[^.!?;,]{0,30}?\\b(?:is|was|were|are|be|been)\\s+(?:unnecessary|avoided|eliminated|obsolete|gone|ruled out)\\b',
    '^(?:\\s+(?:is\\s+)?(?:required|needed|necessary|steps?|work))*[\\s*_]*[:?=|\\n–—-][\\s:?=|*_–—-]*(?:no|none|not|n/a|0|zero|false|never|nothing)[\\s*_]*(?:[.!,;)|]|$|\\n|(?:needed|required|necessary)\\b)',
  ].join('|'),
  'i',
);

/**
 * Finds an admission of failure in the agent's own words (R-VER-2) and returns the sentence it stands in, bounded, or
 * `undefined`. Phrases match in any case, over line breaks and in their short forms ("couldn't"). Code, quotations and
 * text between quotation marks are not searched, and a denial ("no manual intervention was needed") is no admission.
 */
export function findAdmission(
  finalAnswer: string,
  phrases: readonly string[] = DEFAULT_ADMISSIONS,
): string | undefined {
  const sources = phrases.map(phraseSource).filter((source) => source !== '');
  if (sources.length === 0) return undefined;
  const pattern = new RegExp(`(?<![\\w-])(?:${sources.join('|')})(?:ly)?(?!\\w)`, 'gi');
  const all = passages(finalAnswer);
  for (const [at, passage] of all.entries()) {
    for (const { index, 0: phrase } of passage.matchAll(pattern)) {
      const end = index + phrase.length;
      const after = `${passage.slice(end, end + LOOK_AHEAD_CHARS)}\n${all[at + 1]?.slice(0, LOOK_AHEAD_CHARS) ?? ''}`;
      const before = passage.slice(Math.max(0, index - LOOK_BACK_CHARS), index);
      if (!isDenied(before, phrase, after)) return sentenceAt(passage, index);
    }
  }
  return undefined;
}

function phraseSource(phrase: string): string {
  const words = phrase.split(/\s+/).filter((word) => word !== '');
  return words
    .map(escapeForPattern)
    .join('\\s+')
    .replace(/\bcannot\b/gi, "(?:cannot|can\\s+not|can['’]t)")
    .replace(/(\w+)\\s\+not\b/gi, "$1(?:\\s+not|n['’]t)");
}

/** The agent's own words, a paragraph, list item or heading each, with code spans and quotations masked. */
function passages(answer: string): readonly string[] {
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
    parts.push(passage.slice(from, start), MASK);
    from = end;
  }
  parts.push(passage.slice(from));
  return parts.join('').replace(QUOTED, MASK);
}

/**
 * Whether the words around a phrase take it back. Before it: an odd number of negations in its own clause ("does not
 * work without manual intervention" has two and admits). Behind it: "… is not needed", "…: none".
 */
function isDenied(before: string, phrase: string, after: string): boolean {
  if (NOT_A_PERSON.test(after) && /human$/i.test(phrase)) return true;
  if (DENIED_AFTER.test(after)) return true;
  const { clause, lead } = ownClause(before, { phrase, after });
  const negators = [...clause.matchAll(NEGATOR)];
  const last = negators.at(-1);
  if (last === undefined || negators.length % 2 === 0) return false;
  const between = clause.slice(last.index + last[0].length);
  const subordinate = lead || /^without$/i.test(last[0]);
  return !(subordinate && VERB_FIRST.test(phrase) && NEW_SUBJECT.test(between));
}

/** What stands before the phrase in its own clause, and whether a subordinating word opens that clause. */
function ownClause(
  before: string,
  { phrase, after }: { phrase: string; after: string },
): { readonly clause: string; readonly lead: boolean } {
  const isPredicate = VERB_FIRST.test(phrase) || OWN_VERB.test(after);
  let clause = before;
  let lead = false;
  for (const boundary of before.matchAll(BOUNDARY)) {
    const rest = before.slice(boundary.index + boundary[0].length);
    const joinsNouns = !isPredicate && /^and$/i.test(boundary[0]) && rest.trim() === '';
    if (joinsNouns) continue;
    clause = rest;
    lead = LEAD.test(boundary[0]);
  }
  return { clause, lead };
}

function sentenceAt(passage: string, index: number): string {
  const before =
    passage
      .slice(0, index)
      .split(/[.!?](?=\s)/)
      .at(-1) ?? '';
  const behind = passage.slice(index).split(/(?<=[.!?])(?=\s)/, 1)[0] ?? '';
  return oneLine(before + behind, SENTENCE_CHARS_MAX);
}
