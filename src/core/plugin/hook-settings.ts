import type { JsonValue } from '../json.ts';
import { type JsonNode, type JsonObjectNode, JsonProblem, readJsonText } from '../state-file/json-text.ts';

/** Groups of hooks by the event that starts them, as agents read them in a settings file. */
export type HookGroups = Readonly<Record<string, readonly JsonValue[]>>;

/** A settings file with hooks put in, and each text that was put in, in its order. */
export interface AddedHooks {
  readonly text: string;
  readonly pieces: readonly string[];
}

/**
 * Puts groups of hooks into the text of a settings file; every other byte stays (R-SES-8). Without a text a file is made.
 * Throws `JsonProblem` if it is not JSON, or `hooks` in it has another form.
 */
export function addHooks(text: string | undefined, groups: HookGroups): AddedHooks {
  if (text === undefined) {
    const made = `${JSON.stringify({ hooks: groups }, undefined, 2)}\n`;
    return { text: made, pieces: [made] };
  }
  let changed = text;
  const pieces: string[] = [];
  for (const [event, items] of Object.entries(groups)) {
    for (const item of items) {
      const { at, piece } = placeFor(changed, event, JSON.stringify(item));
      changed = changed.slice(0, at) + piece + changed.slice(at);
      pieces.push(piece);
    }
  }
  return { text: changed, pieces };
}

/**
 * Takes hooks out again. Where each piece is as it was put in, the text becomes what it was before, to the byte; where the
 * user changed something around it, only the hooks whose command `isOurs` go. Throws `JsonProblem`.
 */
export function removeHooks(text: string, pieces: readonly string[], isOurs: (command: string) => boolean): string {
  const cut = withoutPieces(text, pieces);
  if (cut !== undefined && (cut === '' || (isJson(cut) && firstOf(cut, isOurs) === undefined))) return cut;
  let left = text;
  for (let found = firstOf(left, isOurs); found !== undefined; found = firstOf(left, isOurs))
    left = left.slice(0, found.start) + left.slice(found.end);
  return left;
}

/** The commands of all hooks in a settings file, as `Stop` with its command. Throws `JsonProblem`. */
export function hookCommands(text: string): readonly (readonly [event: string, command: string])[] {
  return eventsOf(text).flatMap(({ key, groups }) =>
    groups.flatMap((group) => hooksOf(group).map((hook): [string, string] => [key, commandOf(hook, text)])),
  );
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where a group of hooks for an event is to be put in, and the text of it there. */
function placeFor(text: string, event: string, group: string): { readonly at: number; readonly piece: string } {
  const root = objectAt(text, readJsonText(text), 'the file');
  const hooks = member(root, 'hooks');
  if (hooks === undefined) return lastIn(text, root, root.members, `"hooks": { "${event}": [${group}] }`);
  const events = objectAt(text, hooks, '"hooks"');
  const list = member(events, event);
  if (list === undefined) return lastIn(text, events, events.members, `"${event}": [${group}]`);
  if (list.kind !== 'array')
    throw new JsonProblem(text, list.start, `"hooks" has a value for "${event}" that is no list`);
  return lastIn(text, list, list.items, group);
}

/** After the last of what a list or an object holds, on a line of its own where the others are. */
function lastIn(text: string, within: TextRange, children: readonly Child[], piece: string) {
  const [first, last] = [children[0], children.at(-1)];
  if (first === undefined || last === undefined) return { at: within.start + 1, piece };
  return { at: endOf(last), piece: `,${text.slice(within.start + 1, first.start)}${piece}` };
}

type Child = { readonly start: number } & ({ readonly end: number } | { readonly value: TextRange });

function endOf(child: Child): number {
  return 'value' in child ? child.value.end : child.end;
}

function withoutPieces(text: string, pieces: readonly string[]): string | undefined {
  if (pieces.length === 0) return undefined;
  let left = text;
  for (const piece of [...pieces].reverse()) {
    const at = left.indexOf(piece);
    if (at === -1 || left.indexOf(piece, at + 1) !== -1) return undefined;
    left = left.slice(0, at) + left.slice(at + piece.length);
  }
  return left;
}

/** The text of the first hook whose command is ours, with its comma: its whole group, if nothing else is in it. */
function firstOf(text: string, isOurs: (command: string) => boolean): TextRange | undefined {
  for (const { groups } of eventsOf(text)) {
    for (const [at, group] of groups.entries()) {
      const hooks = hooksOf(group);
      const ours = hooks.findIndex((hook) => isOurs(commandOf(hook, text)));
      if (ours !== -1) return hooks.length === 1 ? withComma(groups, at) : withComma(hooks, ours);
    }
  }
  return undefined;
}

function withComma(items: readonly JsonNode[], at: number): TextRange | undefined {
  const [before, item, after] = [items[at - 1], items[at], items[at + 1]];
  if (item === undefined) return undefined;
  if (before !== undefined) return { start: before.end, end: item.end };
  return { start: item.start, end: after?.start ?? item.end };
}

function eventsOf(text: string): readonly { readonly key: string; readonly groups: readonly JsonNode[] }[] {
  const root = objectAt(text, readJsonText(text), 'the file');
  const hooks = member(root, 'hooks');
  if (hooks?.kind !== 'object') return [];
  return hooks.members.map(({ key, value }) => ({ key, groups: itemsOf(value) }));
}

function hooksOf(group: JsonNode): readonly JsonNode[] {
  return group.kind === 'object' ? itemsOf(member(group, 'hooks')) : [];
}

function commandOf(hook: JsonNode, text: string): string {
  const command = hook.kind === 'object' ? member(hook, 'command') : undefined;
  const value: unknown = command && JSON.parse(text.slice(command.start, command.end));
  return typeof value === 'string' ? value : '';
}

function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.items : [];
}

function member(node: JsonObjectNode, name: string): JsonNode | undefined {
  return node.members.find(({ key }) => key === name)?.value;
}

function objectAt(text: string, node: JsonNode, what: string): JsonObjectNode {
  if (node.kind === 'object') return node;
  throw new JsonProblem(text, node.start, `${what} is no JSON object`);
}

function isJson(text: string): boolean {
  try {
    return readJsonText(text).kind === 'object';
  } catch {
    return false;
  }
}
