import { MODIFICATION_REQUEST, readSignals } from '../answer/signals.ts';
import type { JsonValue } from '../json.ts';
import { objectIn } from './object-in.ts';

const ROLES = ['executor', 'verifier', 'reviewer'] as const;

/** Whether a helper's last message ends its work: what it says while it waits for something is no answer yet. */
export function isFinalAnswer(message: string): boolean {
  const signals = ROLES.map((role) => readSignals(message, role));
  return message.includes(MODIFICATION_REQUEST) || signals.some(({ positive, negative }) => positive || negative);
}

/** What a helper was told first, from the beginning of its transcript: one JSON object a line, in the form of Claude Code. */
export function promptIn(transcript: string): string {
  for (const line of transcript.split('\n')) {
    const entry = objectIn(line);
    if (entry?.type !== 'user') continue;
    const { content } = (entry.message ?? {}) as { readonly content?: JsonValue };
    return typeof content === 'string' ? content : textsOf(content).join('\n');
  }
  return '';
}

function textsOf(content: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}
