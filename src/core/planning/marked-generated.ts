const FIELD = 'generated: auto';

/** The text with front matter that says that no person looked at it when it was made; what is there stays (R-PLAN-3). */
export function markedGenerated(text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const opening = `---${eol}`;
  if (!text.startsWith(opening)) return [opening + FIELD, '---', '', text].join(eol);
  const end = text.indexOf(`${eol}---`, opening.length - eol.length);
  if (end === -1 || text.slice(0, end).split(eol).includes(FIELD)) return text;
  return `${text.slice(0, end)}${eol}${FIELD}${text.slice(end)}`;
}
