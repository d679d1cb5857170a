import stringWidth from 'string-width';

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const ASCII = /^[\x20-\x7e]*$/;

/** How many cells of a terminal a text takes that holds no control characters. */
export function cells(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** The text, or its beginning with an ellipsis when it takes more cells. */
export function shorten(text: string, cellsMax: number, ellipsis: string): string {
  if (cells(text) <= cellsMax) return text;
  const room = cellsMax - cells(ellipsis);
  if (room < 0) return '';
  let kept = '';
  let sum = 0;
  for (const { segment } of SEGMENTS.segment(text)) {
    sum += cells(segment);
    if (sum > room) break;
    kept += segment;
  }
  return `${kept}${ellipsis}`;
}
