import { oneLine } from '../text/sanitise.ts';
import type { Check, Comment, Thread } from './seen.ts';

const NAME_CHARS_MAX = 200;
const HASH_PRIME = 0x01000193;
const HASH_START = 0x811c9dc5;
const HEX_DIGITS = 8;

/**
 * What on the forge a task is made from, as it is written into the plan, so that nothing makes two tasks even where the
 * journal is lost (R-PR-3): a check of a commit, a comment in its present words, the base at a commit.
 */
export type Origin =
  | { readonly kind: 'check'; readonly head: string; readonly name: string }
  | { readonly kind: 'thread'; readonly thread: string; readonly comment: string; readonly words: string }
  | { readonly kind: 'review'; readonly review: string; readonly words: string }
  | { readonly kind: 'base'; readonly base: string; readonly commit: string };

export function originOfCheck({ name }: Pick<Check, 'name'>, head: string): Origin {
  return { kind: 'check', head: head.slice(0, 12), name: writable(name) };
}

/** `comment` is the newest one in the thread that counts. */
export function originOfThread({ id }: Pick<Thread, 'id'>, comment: Comment): Origin {
  return { kind: 'thread', thread: id, comment: comment.id, words: hashOf(comment.body) };
}

export function originOfReview(review: Comment): Origin {
  return { kind: 'review', review: review.id, words: hashOf(review.body) };
}

/** An origin as text without back-ticks and line breaks. */
export function written(origin: Origin): string {
  switch (origin.kind) {
    case 'check':
      return `check ${origin.head} ${origin.name}`;
    case 'thread':
      return `thread ${origin.thread} ${origin.comment} ${origin.words}`;
    case 'review':
      return `review ${origin.review} ${origin.words}`;
    case 'base':
      return `base ${origin.commit.slice(0, 12)} ${origin.base}`;
  }
}

/** The check that an origin names, as `writable` wrote it. */
export function checkIn(origin: string): string | undefined {
  return /^check \S+ (.+)$/.exec(origin)?.[1];
}

/** The name of a check as an origin holds it. */
export function writable(name: string): string {
  return oneLine(name, NAME_CHARS_MAX).replaceAll('`', "'");
}

/** A short number for a text (FNV-1a): tells an edited comment from the one that was read before. */
function hashOf(text: string): string {
  let hash = HASH_START;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_PRIME);
  return (hash >>> 0).toString(16).padStart(HEX_DIGITS, '0');
}
