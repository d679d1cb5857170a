const ITEM = /[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/my;
const BOX = /[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX~-])\](?=[ \t*\\])/y;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const LONGEST_RULE = 200;

/** Offset behind the list mark and its blanks, if a list item begins at `at` or behind blanks there; else `undefined`. */
export function behindListMark(text: string, at: number): number | undefined {
  ITEM.lastIndex = at;
  return ITEM.test(text) ? ITEM.lastIndex : undefined;
}

/** The character in the box of the list item that begins at `at`, if it has one. */
export function boxMark(text: string, at: number): string | undefined {
  BOX.lastIndex = at;
  return BOX.exec(text)?.[1];
}

/** Whether a line, without the blanks around it, is a rule such as `---`. */
export function isRule(line: string): boolean {
  return line.length < LONGEST_RULE && '-*_'.includes(line.charAt(0)) && RULE.test(line);
}
