/**
 * The JSON object that begins at `start`, with whatever text after it; `undefined` if no valid one does. Its end is
 * found by counting braces outside of strings.
 */
export function jsonAt(text: string, start: number): Readonly<Record<string, unknown>> | undefined {
  const end = objectEnd(text, start);
  if (end === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const mark = text[at];
    if (inString) {
      if (mark === '\\') at++;
      else if (mark === '"') inString = false;
    } else if (mark === '"') inString = true;
    else if (mark === '{') depth++;
    else if (mark === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
