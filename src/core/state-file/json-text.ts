/** A JSON value together with the place of its text; `end` is exclusive. Places count UTF-16 units. */
export type JsonNode =
  | JsonObjectNode
  | JsonArrayNode
  | { readonly kind: 'plain'; readonly start: number; readonly end: number };

export interface JsonArrayNode {
  readonly kind: 'array';
  readonly start: number;
  readonly end: number;
  readonly items: readonly JsonNode[];
}

export interface JsonObjectNode {
  readonly kind: 'object';
  readonly start: number;
  readonly end: number;
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string;
  /** Where the key's opening quote is. */
  readonly start: number;
  readonly value: JsonNode;
}

/** What is wrong with a JSON text. Line and column count from 1, the column in UTF-16 units. */
export class JsonProblem extends Error {
  readonly line: number;
  readonly column: number;
  constructor(text: string, at: number, problem: string) {
    super(problem);
    this.name = 'JsonProblem';
    const before = text.slice(0, at);
    this.line = before.split('\n').length;
    this.column = at - (before.lastIndexOf('\n') + 1) + 1;
  }
}

const DEPTH_MAX = 100;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const BLANK = /[ \t\r\n]*/y;

/**
 * Finds the places of all values in a JSON text, so that single ones can be replaced without touching another byte.
 * A byte order mark is skipped. Stricter than JSON in two points: a key may be only once in an object, since readers
 * disagree on which one counts, and values nest at most 100 deep. Throws `JsonProblem`.
 */
export function readJsonText(text: string): JsonNode {
  const reader = new JsonReader(text);
  return reader.whole();
}

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonNode {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
    this.#skipBlank();
    const node = this.#value(0);
    this.#skipBlank();
    if (this.#at < this.#text.length) this.#fail('there is something after the end of the value');
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > DEPTH_MAX) this.#fail(`values are nested more than ${DEPTH_MAX} deep`);
    const start = this.#at;
    switch (this.#text[start]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        this.#string();
        break;
      case undefined:
        return this.#fail('the text ends too early');
      default:
        if (!this.#skip(NUMBER_OR_WORD)) this.#fail('a value is expected here');
    }
    return { kind: 'plain', start, end: this.#at };
  }

  #object(depth: number): JsonObjectNode {
    const start = this.#at;
    const members: JsonMember[] = [];
    const keys = new Set<string>();
    this.#list('}', () => {
      const member = this.#member(depth);
      if (keys.has(member.key)) this.#fail(`the field "${member.key}" stands twice in one object`, member.start);
      keys.add(member.key);
      members.push(member);
    });
    return { kind: 'object', start, end: this.#at, members };
  }

  #member(depth: number): JsonMember {
    const start = this.#at;
    const key = this.#key();
    this.#skipBlank();
    if (this.#text[this.#at] !== ':') this.#fail('a colon is expected here');
    this.#at++;
    this.#skipBlank();
    return { key, start, value: this.#value(depth + 1) };
  }

  #array(depth: number): JsonNode {
    const start = this.#at;
    const items: JsonNode[] = [];
    this.#list(']', () => items.push(this.#value(depth + 1)));
    return { kind: 'array', start, end: this.#at, items };
  }

  /** Reads from the opening bracket to after the closing one. */
  #list(close: string, readItem: () => unknown): void {
    this.#at++;
    this.#skipBlank();
    if (this.#text[this.#at] !== close) {
      for (;;) {
        readItem();
        this.#skipBlank();
        if (this.#text[this.#at] !== ',') break;
        this.#at++;
        this.#skipBlank();
      }
    }
    if (this.#text[this.#at] !== close)
      this.#fail(this.#at < this.#text.length ? `a comma or "${close}" is expected here` : 'the text ends too early');
    this.#at++;
  }

  #key(): string {
    const start = this.#at;
    if (this.#text[start] !== '"')
      this.#fail(start < this.#text.length ? 'a key in double quotes is expected here' : 'the text ends too early');
    this.#string();
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #string(): void {
    if (!this.#skip(STRING)) this.#fail('this text in quotes is broken or has no end');
  }

  #skipBlank(): void {
    this.#skip(BLANK);
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.test(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #fail(problem: string, at = this.#at): never {
    throw new JsonProblem(this.#text, at, problem);
  }
}
