const SEGMENTS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const ASCII = /^[\x20-\x7e]*$/;
const INVISIBLE = /^[\p{M}\p{Default_Ignorable_Code_Point}]+$/u;
const WIDE =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}])/u;

/** How many cells of a terminal a text takes that holds no control characters. */
export function cells(text: string): number {
  if (ASCII.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of SEGMENTS.segment(text)) sum += cellsOf(segment);
  return sum;
}

/** The text, or its beginning with an ellipsis when it takes more cells. */
export function shorten(text: string, cellsMax: number, ellipsis: string): string {
  if (cells(text) <= cellsMax) return text;
  const room = cellsMax - cells(ellipsis);
  let kept = '';
  let sum = 0;
  for (const { segment } of SEGMENTS.segment(text)) {
    sum += cellsOf(segment);
    if (sum > room) break;
    kept += segment;
  }
  return room < 0 ? '' : `${kept}${ellipsis}`;
}

function cellsOf(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
