/** What a person decides about a document in a terminal. */
export type GateAnswer =
  | { readonly is: 'approve' | 'review' | 'edit' | 'stop' }
  /** `text` says what has to change; absent where it is still to be asked for. */
  | { readonly is: 'change'; readonly text?: string };

/** The question at a gate, with the letters that answer it. */
export const GATE_QUESTION =
  'Approve (a), have it reviewed (r), have it changed (c, and what), edit it (e), or stop (s)?';

const WORDS = ['approve', 'review', 'change', 'edit', 'stop'] as const;

/** Reads an answer by its first word or letter; `undefined` for what is none of them, as an empty line (R-GATE-1). */
export function gateAnswer(line: string): GateAnswer | undefined {
  const [, first = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
  const word = WORDS.find((one) => one === first.toLowerCase() || one[0] === first.toLowerCase());
  if (word === undefined) return undefined;
  if (word === 'change') return { is: word, ...(rest !== '' && { text: rest }) };
  return rest === '' ? { is: word } : undefined;
}
