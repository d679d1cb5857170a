/** Words that open a subordinate clause: what is denied there says nothing about the main clause after it. */
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
 * Whether the words around a phrase take it back. Before it: an odd number of negations in its own clause ("does not
 * work without manual intervention" has two and admits). After it: "… is not needed", "…: none".
 */
export function isDenied(before: string, phrase: string, after: string): boolean {
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

/** What is before the phrase in its own clause, and whether a subordinating word opens that clause. */
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
