const LEFT_OUT = '[…]';

/**
 * The last part of a text, for a journal event or a prompt: at most `charsMax` UTF-16 units, begun at a line where there
 * is one, with `[…]` on a line before it when something was left out. The end of an output is where its reason is.
 */
export function excerpt(text: string, charsMax: number): string {
  const whole = text.trimEnd();
  if (whole.length <= charsMax) return whole;
  const room = Math.max(0, charsMax - LEFT_OUT.length - 1);
  const tail = room === 0 ? '' : whole.slice(-room);
  const startsLine = whole.charAt(whole.length - room - 1) === '\n';
  const lineBreak = tail.indexOf('\n');
  const kept = startsLine || lineBreak === -1 ? tail.replace(/^[\udc00-\udfff]/, '') : tail.slice(lineBreak + 1);
  return `${LEFT_OUT}\n${kept}`.slice(0, Math.max(0, charsMax));
}

/** The first part of a text, ended at a line where there is one; otherwise as `excerpt`. For documents. */
export function opening(text: string, charsMax: number): string {
  const whole = text.trimEnd();
  if (whole.length <= charsMax) return whole;
  const head = whole.slice(0, Math.max(0, charsMax - LEFT_OUT.length - 1));
  const lineBreak = whole.charAt(head.length) === '\n' ? head.length : head.lastIndexOf('\n');
  const kept = lineBreak === -1 ? head.replace(/[\ud800-\udbff]$/, '') : head.slice(0, lineBreak);
  return `${kept}\n${LEFT_OUT}`.slice(0, Math.max(0, charsMax));
}
