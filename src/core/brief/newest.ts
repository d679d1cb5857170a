import { byteLength } from '../text/byte-length.ts';
import { bullets } from './parts.ts';

/** The newest lines of a list, as bullets, and how many older ones are left out. */
export interface Newest {
  readonly text: string;
  readonly left: number;
}

/** As many of the last lines as take at most `bytesMax` together. */
export function newest(lines: readonly string[], bytesMax: number): Newest {
  const kept: string[] = [];
  let room = bytesMax;
  for (const line of lines.toReversed()) {
    const bullet = bullets([line]);
    room -= byteLength(bullet) + 1;
    if (room < 0) break;
    kept.unshift(bullet);
  }
  return { text: kept.join('\n'), left: lines.length - kept.length };
}
