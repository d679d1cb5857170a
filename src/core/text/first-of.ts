/** The first `max` of some texts in one line, and how many more there are: `a, b and 3 more`. */
export function firstOf(texts: readonly string[], max: number): string {
  const first = texts.slice(0, max).join(', ');
  return texts.length > max ? `${first} and ${texts.length - max} more` : first;
}
