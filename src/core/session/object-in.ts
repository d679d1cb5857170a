import type { JsonValue } from '../json.ts';

/** The fields of the JSON object that a text is, a byte order mark aside; `undefined` if it is none. */
export function objectIn(text: string): Readonly<Record<string, JsonValue | undefined>> | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, JsonValue>>)
      : undefined;
  } catch {
    return undefined; // Also for a text that is nested deeper than can be read.
  }
}
