import { createColors } from 'picocolors';
import { type Call, isSet, type Output, type Surroundings } from './command.ts';

/** Characters that JSON leaves as they are and a terminal acts on or hides. */
const UNSHOWABLE = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Prints one value as indented JSON, with nothing in it that a terminal would act on (R-SEC-2). */
export function printJson(stdout: Output, value: unknown): void {
  const json = JSON.stringify(value, undefined, 2);
  stdout.write(`${json.replace(UNSHOWABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`);
}

/** Prints what a command found: as JSON where that is asked for, else as text for people. */
export function printResult(call: Call, value: unknown, text: () => string): void {
  if (isSet(call, '--json')) printJson(call.stdout, value);
  else call.stdout.write(text());
}

export type PrintColours = ReturnType<typeof createColors>;

/** Colours for one output: none unless it is a terminal that has them, or FORCE_COLOR asks; never with NO_COLOR (R-UX-1). */
export function coloursFor(output: Output, { env }: Pick<Surroundings, 'env'>): PrintColours {
  if (env.NO_COLOR) return createColors(false);
  return createColors(Boolean(env.FORCE_COLOR) || (output.isTTY === true && env.TERM !== 'dumb'));
}
