/** What is inside the brackets of a box whose inside begins at `offset`: nothing for an empty one. */
export function boxInside(text: string, offset: number | undefined): string {
  return offset === undefined ? ' ' : text.slice(offset, boxEnd(text, offset));
}

/** Offset of the bracket that closes a box. */
export function boxEnd(text: string, offset: number): number {
  const end = text.indexOf(']', offset);
  return end < 0 ? offset : end;
}

/** The text with this mark, and nothing else, in all these boxes. */
export function withMarkIn(text: string, offsets: readonly number[], mark: string): string {
  let marked = '';
  let from = 0;
  for (const offset of [...offsets].sort((left, right) => left - right)) {
    marked += text.slice(from, offset) + mark;
    from = boxEnd(text, offset);
  }
  return marked + text.slice(from);
}
