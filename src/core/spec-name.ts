/** `message` says what is wrong with a name, `hint` what to do; both end with a full stop. */
export type SpecNameCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly message: string; readonly hint: string };

const LENGTH_MAX = 64;
const SHOWN_MAX = 80;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a text is the name of a spec: kebab-case, at most 64 characters, never a path (R-FILE-1). */
export function checkSpecName(name: string): SpecNameCheck {
  if (NAME.test(name) && name.length <= LENGTH_MAX) return { ok: true };
  const shown = JSON.stringify(name.length > SHOWN_MAX ? `${name.slice(0, SHOWN_MAX)}…` : name);
  return { ok: false, message: `${shown} is not the name of a spec.`, hint: hintFor(name) };
}

function hintFor(name: string): string {
  if (/[/\\]/.test(name)) return 'Give the name of the folder below specs/ alone, not a path.';
  const rule = `A name has lower-case letters and digits, in words joined by single hyphens, at most ${LENGTH_MAX} characters`;
  const similar = kebabOf(name);
  return similar === '' ? `${rule}.` : `${rule}, as "${similar}".`;
}

/** A text as the name of a spec, if there is anything in it that can be one. */
export function kebabOf(name: string): string {
  const words =
    name
      .slice(0, LENGTH_MAX)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-');
}
