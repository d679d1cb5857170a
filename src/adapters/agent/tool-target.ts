import { type JsonFields, string } from './json-fields.ts';

/** JsonFields of a tool's input that say what it is used on, in the words of all agents, the most telling first. */
const TARGETS = [
  ...['file_path', 'filePath', 'notebook_path', 'path', 'dir_path', 'command', 'pattern', 'url', 'query'],
  'description',
];

/** The file or command that a tool is used on, as a field of an event; nothing if its input does not say. */
export function targetIn(input: JsonFields): { readonly target?: string } {
  const target = TARGETS.map((name) => string(input[name])).find((text) => text !== undefined);
  return target === undefined ? {} : { target };
}
