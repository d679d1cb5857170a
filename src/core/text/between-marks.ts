const BEGIN = '<!-- specloop: begin -->';
const END = '<!-- specloop: end -->';

/** A text with our part renewed between two HTML comments, or added at its end; every other byte stays as it is (R-PR-12). */
export function withOurPart(before: string, part: string): string {
  const ours = `${BEGIN}\n${part}\n${END}`;
  const from = before.indexOf(BEGIN);
  const to = before.indexOf(END, from);
  if (from >= 0 && to > from) return `${before.slice(0, from)}${ours}${before.slice(to + END.length)}`;
  return before.trim() === '' ? ours : `${before}${gapAfter(before)}${ours}`;
}

/** What makes an empty line after a text. */
function gapAfter(text: string): string {
  if (/\n\r?\n$/.test(text)) return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}
