/** Name of the schema that a file of OpenSpec chooses, as YAML: `.openspec.yaml` of a change, `config.yaml` of a project. */
export function chosenSchema(text: string): string | undefined {
  return valueAt('schema', text.split(/\r?\n/));
}

/**
 * The files in which a schema of OpenSpec tracks tasks, as it writes them: a name or a pattern; `undefined` where it does not
 * say. What it applies names them, else its document `tasks` does.
 */
export function trackedFiles(schema: string): string | undefined {
  const lines = schema.split(/\r?\n/);
  const apply = lines.findIndex((line) => /^apply:\s*(?:#.*)?$/.test(line));
  const tracked = apply < 0 ? undefined : valueAt('tracks', dedented(blockAfter(lines, apply)));
  if (tracked !== undefined) return tracked;
  const tasks = lines.findIndex((line) => /^\s*-?\s*id:\s*["']?tasks["']?\s*(?:#.*)?$/.test(line));
  return tasks < 0 ? undefined : valueAt('generates', dedented(lines.slice(tasks + 1, nextItem(lines, tasks))));
}

/** The indented lines below a key. */
function blockAfter(lines: readonly string[], at: number): readonly string[] {
  const end = lines.findIndex((line, index) => index > at && /^[^\s#]/.test(line));
  return lines.slice(at + 1, end < 0 ? undefined : end);
}

/** Where the next item of a list begins, or the list ends. */
function nextItem(lines: readonly string[], at: number): number {
  const next = lines.findIndex((line, index) => index > at && /^\s*- id:|^[^\s#-]/.test(line));
  return next < 0 ? lines.length : next;
}

/** The lines that are indented like the first of them, without that. */
function dedented(lines: readonly string[]): readonly string[] {
  const indent = /^\s*/.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0] ?? '';
  return lines.flatMap((line) => (line.startsWith(indent) ? [line.slice(indent.length)] : []));
}

/** The plain value of a key at the left margin; `undefined` for none, and for `null`. */
function valueAt(key: string, lines: readonly string[]): string | undefined {
  const line = lines.find((one) => one.startsWith(`${key}:`));
  const value = line && /^[^:]+:\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:\s#.*)?$/.exec(line);
  const found = value ? (value[1] ?? value[2] ?? value[3] ?? '') : '';
  return ['', 'null', '~'].includes(found) ? undefined : found;
}
