/** A JSON object from outside, of which nothing is known. */
export type Unknown = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Unknown | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Unknown) : undefined;
}

export function listOf(value: unknown): readonly Unknown[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(objectOf).filter((item) => item !== undefined);
}

/** A text or a number as text; of a list the lines; else nothing. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(textOf).join('\n') : '';
}

export function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text.trim() !== '');
}

/** The keys of objects that none of these names is, with a value that says something. */
export function otherKeys(objects: readonly Unknown[], known: readonly string[]): readonly string[] {
  const found = objects.flatMap((object) =>
    Object.entries(object).flatMap(([key, value]) => (known.includes(key) || saysNothing(value) ? [] : [key])),
  );
  return [...new Set(found)];
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
