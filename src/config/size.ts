const UNIT_BYTES = { b: 1, kb: 1_000, mb: 1_000_000 } as const;
const SHAPE = /^(\d+(?:\.\d+)?) ?(b|kb|mb)?$/i;

const LEAST_BYTES = 1_000;
const MOST_BYTES = 100 * UNIT_BYTES.mb;

export const SIZE_PATTERN = SHAPE;
export const SIZE_WORDS = 'a size such as 200000 (bytes), 200kB or 1MB, from 1 kB to 100 MB';

/** Bytes of a size: a number, or one with `kB` or `MB` after it, whatever the case. `undefined` for anything else. */
export function sizeBytes(value: number | string): number | undefined {
  const parts = SHAPE.exec(String(value));
  if (parts === null) return undefined;
  const unit = (parts[2] ?? 'b').toLowerCase() as keyof typeof UNIT_BYTES;
  const bytes = Math.round(Number(parts[1]) * UNIT_BYTES[unit]);
  return bytes >= LEAST_BYTES && bytes <= MOST_BYTES ? bytes : undefined;
}
