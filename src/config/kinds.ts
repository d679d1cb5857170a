import * as z from 'zod/mini';
import { splitShellWords } from '../core/agent/shell-words.ts';
import { SECTION_KEYS } from '../core/artifact/section-names.ts';
import { DURATION_PATTERN, DURATION_WORDS, durationMs } from './duration.ts';
import { SIZE_PATTERN, SIZE_WORDS, sizeBytes } from './size.ts';

/** How a kind of value is written outside of a file. */
export interface Kind {
  /** What stands for the value in help; `undefined` for a switch, which has none. */
  readonly placeholder: string | undefined;
  /** The text of an option or a variable as a file would hold it; whether that is a sensible value the schema decides. */
  readonly decode: (text: string) => unknown;
  /** The values it can have, if they are few. */
  readonly choices?: readonly string[];
  /** Whether an option may be given more than once. */
  readonly repeats?: true;
}

/** The kind of each leaf of the schema. */
export const kinds = z.registry<Kind>();

/** A program and its arguments. */
export type Argv = readonly [string, ...string[]];

/** Every schema below says by its error what it takes, so that a message can be `jobs takes <error>`. */

export function count(description: string) {
  const error = 'a whole number of at least 1';
  return z
    .int({ error })
    .check(z.minimum(1, { error }), z.describe(description))
    .register(kinds, { placeholder: 'N', decode: numeric });
}

export function dollars(description: string) {
  const error = 'an amount above 0, in US dollars';
  return z
    .number({ error })
    .check(z.positive({ error }), z.describe(description))
    .register(kinds, { placeholder: 'USD', decode: numeric });
}

/** What a million tokens cost, in US dollars. */
export function price(description: string) {
  const error = 'an amount of at least 0, in US dollars per million tokens';
  return z
    .number({ error })
    .check(z.nonnegative({ error }), z.describe(description))
    .register(kinds, { placeholder: 'USD', decode: numeric });
}

/** Variables of an environment with their values. */
export function environment(description: string) {
  const error = 'variables with their values as text';
  const name = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/));
  return z
    .record(name, z.string({ error }), { error: named(error, 'cannot name a variable: use letters, digits and _') })
    .check(z.describe(description))
    .register(kinds, { placeholder: '{NAME: TEXT}', decode: (value) => value });
}

/** Other headings for the sections of artifacts, by the section. */
export function headings(description: string) {
  const error = 'headings by section, each a list of texts that are not empty';
  const isSection = (key: string) => SECTION_KEYS.some((known) => known === key);
  return z
    .record(
      z.string().check(z.refine(isSection)),
      z.array(z.string({ error }).check(z.trim(), z.minLength(1, { error })), { error }),
      { error: named(error, `names no section: use one of ${SECTION_KEYS.join(', ')}`) },
    )
    .check(z.describe(`${description} Sections: ${SECTION_KEYS.join(', ')}.`))
    .register(kinds, { placeholder: '{requirements.goal: [TEXT]}', decode: (value) => value });
}

/** What a group takes whose keys are names, and what is wrong with a key that is none. */
export function named(group: string, key: string) {
  return ({ code }: { readonly code?: string }): string => (code === 'invalid_key' ? key : group);
}

/** A duration; its value is in milliseconds (R-UX-1). */
export function duration(description: string) {
  const error = DURATION_WORDS;
  return z
    .pipe(
      z.union([z.number({ error }), z.string({ error }).check(z.regex(DURATION_PATTERN, { error }))], { error }),
      z.transform((value, context) => durationMs(value) ?? refuse(context, error)),
    )
    .check(z.describe(description))
    .register(kinds, { placeholder: 'TIME', decode: (value) => value });
}

/** A size; its value is in bytes (R-UX-1). */
export function size(description: string) {
  const error = SIZE_WORDS;
  return z
    .pipe(
      z.union([z.number({ error }), z.string({ error }).check(z.regex(SIZE_PATTERN, { error }))], { error }),
      z.transform((value, context) => sizeBytes(value) ?? refuse(context, error)),
    )
    .check(z.describe(description))
    .register(kinds, { placeholder: 'SIZE', decode: (value) => value });
}

export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices, description: string) {
  const error = `one of ${choices.join(', ')}`;
  return z
    .enum(choices, { error })
    .check(z.describe(description))
    .register(kinds, { placeholder: choices.join('|'), decode: (value) => value, choices });
}

export function toggle(description: string) {
  return z
    .boolean({ error: 'true or false' })
    .check(z.describe(description))
    .register(kinds, { placeholder: undefined, decode: switched });
}

export function text(description: string, placeholder = 'TEXT') {
  const error = 'a text that is not empty';
  return z
    .string({ error })
    .check(z.trim(), z.minLength(1, { error }), z.describe(description))
    .register(kinds, { placeholder, decode: (value) => value });
}

/** The message of a commit of the coordinator's, in which `{…}` stands for a value: one line. */
export function message(description: string, names: readonly string[]) {
  const error = `one line that is not empty, with no other value in braces than ${names.map((name) => `{${name}}`).join(', ')}`;
  const isKnown = (value: string) =>
    [...value.matchAll(/\{([a-z]+)\}/g)].every(([, name]) => names.includes(name ?? ''));
  return z
    .string({ error })
    .check(
      z.trim(),
      z.minLength(1, { error }),
      z.refine((value) => !/[\r\n\0]/.test(value) && isKnown(value), { error }),
      z.describe(`${description} Values: ${names.map((name) => `{${name}}`).join(', ')}.`),
    )
    .register(kinds, { placeholder: 'MESSAGE', decode: (value) => value });
}

export function texts(description: string, placeholder = 'TEXT') {
  const error = 'a list of texts that are not empty';
  return z
    .array(z.string({ error }).check(z.trim(), z.minLength(1, { error })), { error })
    .check(z.describe(description))
    .register(kinds, { placeholder, decode: (value) => value.split(','), repeats: true });
}

/** Names of environment variables; one may end in `*`. */
export function variables(description: string) {
  const error = 'names of variables, such as API_KEY or AWS_*';
  return z
    .array(z.string({ error }).check(z.trim(), z.regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, { error })), { error })
    .check(z.describe(description))
    .register(kinds, { placeholder: 'NAME', decode: (value) => value.split(','), repeats: true });
}

/** A command that no shell reads: a list of arguments, or one text split like shell words (R-API-1). */
export function command(description: string) {
  const error = 'a command: a text, or a list of its arguments';
  return z
    .pipe(
      z.union([z.string({ error }), z.array(z.string({ error }), { error }).check(z.minLength(1, { error }))], {
        error,
      }),
      z.transform((value, context): Argv => argv(value) ?? refuse(context, error)),
    )
    .check(z.describe(description))
    .register(kinds, { placeholder: 'CMD', decode: (value) => value });
}

function refuse({ issues, value }: z.core.ParsePayload, message: string): never {
  issues.push({ code: 'custom', input: value, message });
  return z.NEVER;
}

function argv(value: string | readonly string[]): Argv | undefined {
  const words = typeof value === 'string' ? wordsOf(value) : value;
  const [program, ...rest] = words ?? [];
  return program === undefined || program === '' ? undefined : [program, ...rest];
}

function wordsOf(value: string): readonly string[] | undefined {
  if (value.trimStart().startsWith('[')) return listOf(value);
  const split = splitShellWords(value);
  return split.ok ? split.words : undefined;
}

function listOf(json: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) && list.every((word) => typeof word === 'string') ? list : undefined;
  } catch {
    return undefined; // Not JSON, so not a list of arguments; the caller says what is.
  }
}

function numeric(value: string): unknown {
  const number = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : value;
}

function switched(value: string): unknown {
  if (value === 'true' || value === '1') return true;
  return value === 'false' || value === '0' ? false : value;
}
