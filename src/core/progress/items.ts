import { sectionBody } from './sections.ts';

const BULLET = /^ ?[-*+][ \t]+(.*)$/;

/**
 * The outer bullets of a Markdown body, each without its mark and with the lines that belong to it, joined by `\n`.
 * What is before the first bullet or between them without belonging to one is left out.
 */
export function bulletItems(body: string): readonly string[] {
  const items: string[][] = [];
  let current: string[] | undefined;
  for (const line of body.split(/\r?\n/)) {
    const words = BULLET.exec(line)?.[1];
    if (words !== undefined) {
      current = [words];
      items.push(current);
    } else if (line.trim() === '' || /^[ \t]/.test(line)) current?.push(line);
    else current = undefined;
  }
  return items.map((lines) => lines.join('\n').trim()).filter((item) => item !== '');
}

/** The outer bullets of a section, as `bulletItems`; none when the section or the file is missing. */
export function sectionItems(text: string | undefined, name: string): readonly string[] {
  return bulletItems(sectionBody(text ?? '', name));
}

/** What two bullets have in common when they say the same. */
export function itemKey(item: string): string {
  return item.replace(/\s+/g, ' ').trim();
}
