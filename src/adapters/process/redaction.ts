import { KEY_CHARS_MAX, redactor } from '../../core/text/redact.ts';
import { stripUnseen } from '../../core/text/sanitise.ts';
import { suspicion } from '../../core/text/suspicion.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
/** Longest line that is looked at as a whole. */
const LINE_BYTES_MAX = 1 << 16;
/** Longest secret that is seen in a longer line. */
const SECRET_BYTES_MAX = 1 << 13;
const NOTHING = Buffer.alloc(0);

/** One stream on its way to where it is kept. */
export interface RedactedStream {
  /** What can be kept by now: whole lines, as far as they are not endless. The rest comes later. */
  push(chunk: Buffer): Buffer;
  /** What is left. */
  end(): Buffer;
}

/**
 * Takes secrets out of streams before they are kept, however they are split (R-SEC-2): these values, and what looks like a
 * secret. Holds back the line that has begun and a private key that is not complete, at most some 128 KiB.
 */
export function redaction(secrets: readonly string[]): () => RedactedStream {
  const isSuspiciousAsSeen = suspicion(secrets);
  // A secret that is cut by what a reader does not see is whole again once that is left out.
  const isSuspicious = (bytes: Buffer) =>
    isSuspiciousAsSeen(bytes) || (holdsControl(bytes) && isSuspiciousAsSeen(seen(bytes)));
  const redact = redactor([...secrets, ...secrets.map((secret) => Buffer.from(secret).toString('latin1'))]);
  // As Latin-1, so that bytes stay what they are, also those that are no text.
  const clean = (bytes: Buffer) => Buffer.from(redact(bytes.toString('latin1')), 'latin1');
  return () => new LineRedaction({ isSuspicious, clean });
}

interface Redaction {
  readonly isSuspicious: (bytes: Buffer) => boolean;
  readonly clean: (bytes: Buffer) => Buffer;
}

function holdsControl(bytes: Buffer): boolean {
  for (const byte of bytes)
    if (byte < BLANK && byte !== TAB && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) return true;
  return false;
}

function seen(bytes: Buffer): Buffer {
  return Buffer.from(stripUnseen(bytes.toString('latin1')), 'latin1');
}

class LineRedaction implements RedactedStream {
  readonly #redaction: Redaction;
  #held: Buffer[] = [];
  #length = 0;

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  push(chunk: Buffer): Buffer {
    this.#held.push(chunk);
    this.#length += chunk.length;
    if (this.#length <= LINE_BYTES_MAX && !chunk.includes(LINE_FEED)) return NOTHING;
    const bytes = this.#take();
    const isSuspicious = this.#redaction.isSuspicious(bytes);
    const whole = Math.min(bytes.lastIndexOf(LINE_FEED) + 1, isSuspicious ? startOfOpenKey(bytes) : bytes.length);
    if (whole > 0 || bytes.length <= LINE_BYTES_MAX) {
      this.#hold(bytes.subarray(whole));
      return this.#cleaned(bytes.subarray(0, whole), isSuspicious);
    }
    const cleaned = this.#cleaned(bytes, isSuspicious);
    const kept = Math.max(0, cleaned.length - SECRET_BYTES_MAX);
    this.#hold(cleaned.subarray(kept));
    return cleaned.subarray(0, kept);
  }

  end(): Buffer {
    const bytes = this.#take();
    return this.#cleaned(bytes, this.#redaction.isSuspicious(bytes));
  }

  #cleaned(bytes: Buffer, isSuspicious: boolean): Buffer {
    return isSuspicious ? this.#redaction.clean(bytes) : bytes;
  }

  #hold(bytes: Buffer): void {
    this.#held = [bytes];
    this.#length = bytes.length;
  }

  #take(): Buffer {
    const [only = NOTHING, ...more] = this.#held;
    const bytes = more.length === 0 ? only : Buffer.concat(this.#held);
    this.#hold(NOTHING);
    return bytes;
  }
}

/** Where the line begins in which a private key begins that has not ended yet; the length of the bytes if there is none. */
function startOfOpenKey(bytes: Buffer): number {
  const begin = bytes.lastIndexOf('-----BEGIN ');
  if (begin === -1 || bytes.length - begin > KEY_CHARS_MAX) return bytes.length;
  const end = bytes.indexOf('-----END ', begin);
  if (end !== -1 && bytes.includes(LINE_FEED, end)) return bytes.length;
  return bytes.lastIndexOf(LINE_FEED, begin) + 1;
}
