/** Text from bytes, or the offset of the first byte that is no UTF-8. */
export type Decoded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly at: number };

const CHUNK = 8_192;

/** Decodes UTF-8 strictly: overlong forms, halves of surrogate pairs and cut-off characters are refused. Keeps a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const parts: string[] = [];
  const units = new Uint16Array(CHUNK);
  let filled = 0;
  const flush = (): void => {
    if (filled > 0) parts.push(String.fromCharCode.apply(undefined, units.subarray(0, filled) as unknown as number[]));
    filled = 0;
  };
  for (let at = 0; at < bytes.length; ) {
    if (filled > CHUNK - 2) flush();
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      units[filled++] = first;
      at++;
      continue;
    }
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const point = codePoint(bytes, at, length);
    if (point < 0) return { ok: false, at };
    if (point > 0xffff) {
      units[filled++] = 0xd800 + ((point - 0x10000) >> 10);
      units[filled++] = 0xdc00 + ((point - 0x10000) & 0x3ff);
    } else units[filled++] = point;
    at += length;
  }
  flush();
  return { ok: true, text: parts.join('') };
}

/** The code point of a sequence of `length` bytes; -1 if they are none. */
function codePoint(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0xc2 || first > 0xf4) return -1;
  let point = first & (0xff >> (length + 1));
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next] ?? 0;
    if ((byte & 0xc0) !== 0x80) return -1;
    point = (point << 6) | (byte & 0x3f);
  }
  const least = length === 4 ? 0x10000 : length === 3 ? 0x800 : 0x80;
  const isHalf = point >= 0xd800 && point <= 0xdfff;
  return point < least || point > 0x10ffff || isHalf ? -1 : point;
}
