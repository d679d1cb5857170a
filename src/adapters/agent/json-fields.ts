/** An object whose fields are not known yet: what an agent printed is looked at, never trusted. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** The object that a line of JSON holds; one without fields if it holds none. */
export function parseFields(line: string): JsonFields {
  try {
    return fields(JSON.parse(line));
  } catch {
    return {}; // Not an event; the log of the attempt has it.
  }
}

export function fields(value: unknown): JsonFields {
  return typeof value === 'object' && value !== null ? (value as JsonFields) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The sum of those of these fields that are numbers; `undefined` if none is. */
export function total(from: JsonFields, names: readonly string[]): number | undefined {
  const numbers = names.map((name) => number(from[name])).filter((value) => value !== undefined);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0);
}
