import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Document, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { UserError } from '../core/user-error.ts';

/** A file of settings as it was read; not yet judged. */
export interface WrittenSettings {
  /** The path as people are told it. */
  readonly file: string;
  readonly value: unknown;
  /** `line:column` of what stands at this path of keys; of the nearest group that is there. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
}

const BYTES_MAX = 1024 * 1024;

/**
 * Reads `<stem>.yaml` or `<stem>.json` of a folder; `undefined` if there is neither. Data only: nothing of it is run.
 * Throws `UserError` for a file that cannot be read, for one that is neither, and if both are there.
 */
export function readSettingsFile(
  dir: string,
  stem: string,
  shown: (file: string) => string,
): WrittenSettings | undefined {
  const [yaml, json, yml] = ['.yaml', '.json', '.yml'].map((ending) => textOf(join(dir, stem + ending), shown));
  const name = shown(join(dir, stem));
  if (yml !== undefined)
    throw new UserError(
      `${name}.yml is not read: a file of settings ends in .yaml.`,
      `Rename it to ${basename(stem)}.yaml.`,
    );
  if (yaml !== undefined && json !== undefined)
    throw new UserError(
      `There are two files of settings: ${name}.yaml and ${name}.json.`,
      'Move the settings into one of them, and remove the other.',
    );
  if (json !== undefined) return parseJson(json, `${name}.json`);
  return yaml === undefined ? undefined : parseYaml(yaml, `${name}.yaml`);
}

function textOf(path: string, shown: (file: string) => string): string | undefined {
  try {
    const bytes = readFileSync(path);
    if (bytes.byteLength > BYTES_MAX)
      throw new UserError(
        `${shown(path)} has ${bytes.byteLength} bytes; at most ${BYTES_MAX} are read.`,
        'Keep nothing but settings in it.',
      );
    return bytes.toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof UserError || code === undefined) throw error;
    throw new UserError(
      `Cannot read ${shown(path)} (${code}).`,
      'Make it a plain file that you may read, or remove it.',
    );
  }
}

function parseJson(text: string, file: string): WrittenSettings {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new UserError(`${file} is not JSON: ${said}.`, 'Correct it, then run the command again.');
  }
  return parseYaml(text, file); // Valid JSON is YAML too, and this parser tells where everything stands.
}

function parseYaml(text: string, file: string): WrittenSettings {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined)
    throw new UserError(
      `${file}:${place(lines, problem.pos[0])} ${problem.message.replace(/\.?$/, '.')}`,
      'Correct it, then run the command again.',
    );
  return { file, value: document.toJS() ?? {}, placeOf: (path) => place(lines, offsetOf(document, path)) };
}

/** Where the key of the last name on the path stands, or the nearest that is there. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const names = path.slice(0, length);
    const offset =
      keyOffset(document.getIn(names.slice(0, -1), true), names.at(-1)) ?? itemOffset(document.getIn(names, true));
    if (offset !== undefined) return offset;
  }
  return document.contents?.range[0] ?? 0;
}

function keyOffset(group: unknown, name: PropertyKey | undefined): number | undefined {
  const items = (group as { readonly items?: unknown } | undefined)?.items;
  if (!Array.isArray(items)) return undefined;
  const keys = items.map((item: { readonly key?: unknown }) => item.key);
  const key = keys.find((candidate) => isScalar(candidate) && String(candidate.value) === String(name));
  return isScalar(key) ? key.range?.[0] : undefined;
}

function itemOffset(item: unknown): number | undefined {
  return (item as Node | undefined)?.range?.[0];
}

function place(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}
