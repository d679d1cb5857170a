/**
 * The JSON object that begins at `start`, with whatever text after it; `undefined` if no valid one does. Its end is
 * found by counting brackets outside of strings.
 */
export function jsonAt(text: string, start: number): Readonly<Record<string, unknown>> | undefined {
  const value = jsonValueAt(text, start);
  return isObject(value) ? value : undefined;
}

/** The same for a JSON list. */
export function jsonListAt(text: string, start: number): readonly unknown[] | undefined {
  const value = jsonValueAt(text, start);
  return Array.isArray(value) ? value : undefined;
}

function jsonValueAt(text: string, start: number): unknown {
  const end = valueEnd(text, start);
  if (end === undefined) return undefined;
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    return undefined;
  }
}

function valueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const mark = text[at];
    if (inString) {
      if (mark === '\\') at++;
      else if (mark === '"') inString = false;
    } else if (mark === '"') inString = true;
    else if (mark === '{' || mark === '[') depth++;
    else if ((mark === '}' || mark === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Whether a value that was read as JSON is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
