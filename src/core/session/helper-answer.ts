import { MODIFICATION_REQUEST, readSignals } from '../answer/signals.ts';
import type { JsonValue } from '../json.ts';
import { objectIn } from './object-in.ts';

const ROLES = ['executor', 'verifier', 'reviewer'] as const;

/** Whether a helper's last message ends its work: what it says while it waits for something is no answer yet. */
export function isFinalAnswer(message: string): boolean {
  const signals = ROLES.map((role) => readSignals(message, role));
  return message.includes(MODIFICATION_REQUEST) || signals.some(({ positive, negative }) => positive || negative);
}

/**
 * What a helper was given first, from the beginning of its transcript: one JSON object a line, in the form of Claude Code or
 * of Codex, which puts words of its own before the prompt.
 */
export function promptIn(transcript: string): string {
  const found: string[] = [];
  for (const line of transcript.split('\n')) {
    const entry = objectIn(line);
    const { role, content } = messageOf(entry);
    if (role === 'assistant') break;
    if (role === 'user') found.push(typeof content === 'string' ? content : textsOf(content).join('\n'));
    if (role === 'user' && entry?.type === 'user') break;
  }
  return found.join('\n');
}

interface Message {
  readonly role?: JsonValue | undefined;
  readonly content?: JsonValue | undefined;
}

function messageOf(entry: ReturnType<typeof objectIn>): Message {
  if (entry?.type === 'user') return { role: 'user', content: ((entry.message ?? {}) as Message).content };
  return entry?.type === 'response_item' ? ((entry.payload ?? {}) as Message) : {};
}

function textsOf(content: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}
