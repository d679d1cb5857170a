import { type Question, sameText } from '../answer/questions.ts';

/** What a person's words are to a question: its answer, or why they are none, as a sentence. */
export type ExplicitAnswer =
  | { readonly ok: true; readonly answer: string }
  | { readonly ok: false; readonly why: string };

/** Words that agree to something, and so decide nothing by themselves. */
const ASSENT =
  /^(?:ok(?:ay)?|k|yes|y|yep|yeah|yup|sure|fine|good|great|right|agreed|agree|approved?|lgtm|please|thanks|thank you|go(?: on| ahead)?|continue|proceed|next|do it|sounds good|looks good|whatever|any|either|you decide|as you (?:like|wish|prefer))$/i;

/**
 * Reads a person's words as the answer to one question (R-ASK-2): the number or the label of an option, or a text of their own.
 * Words of assent and an empty text are no answer, unless an option is called so.
 */
export function explicitAnswer({ options = [] }: Pick<Question, 'options'>, text: string): ExplicitAnswer {
  const said = text.replaceAll(/\s+/g, ' ').trim();
  if (said === '') return { ok: false, why: 'The answer is empty.' };
  const named = options.find(({ label }) => sameText(label, said));
  if (named !== undefined) return { ok: true, answer: named.label };
  if (options.length > 0 && /^\d+$/.test(said)) {
    const numbered = options[Number(said) - 1];
    return numbered === undefined
      ? { ok: false, why: `There is no option ${said}; the options are 1 to ${options.length}.` }
      : { ok: true, answer: numbered.label };
  }
  if (ASSENT.test(said.replace(/^[\s"'.,!]+|[\s"'.,!]+$/g, '')))
    return { ok: false, why: `"${said}" does not say what is to be done.` };
  return { ok: true, answer: said };
}
