const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * What a value looks like inside base64, at each of the three places it can begin within a group, in the plain and the
 * URL alphabet. Characters that depend on what is around the value are left off. Takes well-formed text only.
 */
export function base64Forms(value: string): readonly string[] {
  const bytes = utf8(value);
  const plain = [0, 1, 2].map((shift) => {
    const bits = [...Array<number>(shift).fill(0), ...bytes].flatMap((byte) => toBits(byte, 8));
    const sextets = Math.floor(bits.length / 6);
    const chars = Array.from({ length: sextets }, (_, n) => ALPHABET.charAt(fromBits(bits.slice(n * 6, n * 6 + 6))));
    return chars.slice(Math.ceil((shift * 8) / 6)).join('');
  });
  return [...plain, ...plain.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** The bytes of well-formed text. */
export function utf8(value: string): readonly number[] {
  const escaped = encodeURIComponent(value).replace(/%([0-9A-F]{2})|[\s\S]/g, (char, hex: string | undefined) =>
    hex === undefined ? char : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Array.from(escaped, (char) => char.charCodeAt(0));
}

function toBits(byte: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => (byte >> (count - 1 - n)) & 1);
}

function fromBits(bits: readonly number[]): number {
  return bits.reduce((sum, bit) => sum * 2 + bit, 0);
}
