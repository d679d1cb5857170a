import { base64Forms } from './base64.ts';
import { escapeForPattern } from './pattern.ts';
import { holdsUnseen, stripUnseen } from './sanitise.ts';

/** What is where a secret was. */
export const REDACTED = '[redacted]';
/** Shorter values are words of their own; replacing them would ruin every text. */
const VALUE_CHARS_MIN = 8;
/** Longest private key, in characters; between marks that are further apart there is something else. */
export const KEY_CHARS_MAX = 16_384;

/** What keys and tokens of common services look like. A net, not a wall: a key in another form is not seen. */
const TOKENS = [
  'gh[opusr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'glpat-[A-Za-z0-9_-]{20,}',
  'sk-[A-Za-z0-9_-]{20,}',
  'xox[abprs]-[A-Za-z0-9-]{10,}',
  'npm_[A-Za-z0-9]{30,}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}',
];
const TOKEN = new RegExp(`(?<![A-Za-z0-9_])(?:${TOKENS.join('|')})`, 'g');
/** Of a key that is truncated, only what looks like one goes: text that merely names its first line goes on after it. */
const KEY_LINES =
  '(?:(?:\\s|\\\\[nr])+(?:[A-Za-z0-9+/=]{16,}(?![A-Za-z0-9+/=_-])|(?:Proc-Type|DEK-Info|Comment):[^\\n\\\\]*))*';
const PRIVATE_KEY = new RegExp(
  `-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[\\s\\S]{0,${KEY_CHARS_MAX}}?-----END [A-Z ]{0,30}PRIVATE KEY-----|${KEY_LINES})`,
  'g',
);
/** A variable or a placeholder in place of a secret is none, and commands need it. */
const NO_SECRET = '[$<{]';
const AUTHORIZATION = new RegExp(
  `\\b((?:proxy-)?authorization["']?[ \\t]*[:=][ \\t]*["']?)(?!(?:(?:bearer|basic|token)[ \\t]+)?${NO_SECRET})(?:(?:bearer|basic|token)[ \\t]+)?[^\\s"',;\\\\]+`,
  'gi',
);
const URL_PASSWORD = new RegExp(`(:\\/\\/[^\\s/:@]{0,100}:)(?!${NO_SECRET})[^\\s/@]{1,255}(?=@)`, 'g');

/**
 * Makes a function that takes secrets out of text before it is stored or shown (R-SEC-2): the known values, as they are
 * and in their base64, URL and JSON forms, and whatever looks like a key, token, private key, authorization header or
 * password in a URL. Values under eight characters are left alone. A secret that is cut by escape sequences or control
 * characters, which a reader would not see, is taken out with them. A secret split over two texts is not seen: hand in
 * whole lines.
 */
export function redactor(knownValues: readonly string[]): (text: string) => string {
  const longestFirst = [...secretForms(knownValues)].sort((a, b) => b.length - a.length).map(escapeForPattern);
  const known = longestFirst.length === 0 ? undefined : new RegExp(longestFirst.join('|'), 'g');
  const redact = (text: string): string => {
    const unknown = known === undefined ? text : text.replace(known, REDACTED);
    return unknown
      .replace(PRIVATE_KEY, REDACTED)
      .replace(AUTHORIZATION, `$1${REDACTED}`)
      .replace(URL_PASSWORD, `$1${REDACTED}`)
      .replace(TOKEN, REDACTED);
  };
  return (text) => withoutCut(redact(text), redact);
}

/** The text without the secrets that show once what is not seen is left out; only where there are some it changes. */
function withoutCut(text: string, redact: (text: string) => string): string {
  const holdsSome = (shown: string) => redact(shown) !== shown;
  if (!holdsUnseen(text) || !holdsSome(stripUnseen(text))) return text;
  const lines = text.split('\n').map((line) => {
    const shown = stripUnseen(line);
    return holdsSome(shown) ? redact(shown) : line;
  });
  const rest = lines.join('\n');
  return holdsSome(stripUnseen(rest)) ? redact(stripUnseen(rest)) : rest;
}

/** The known values, and their base64, URL and JSON forms; of values that are long enough to be secrets. */
export function secretForms(knownValues: readonly string[]): ReadonlySet<string> {
  return new Set(knownValues.filter((value) => value.length >= VALUE_CHARS_MIN).flatMap(formsOf));
}

function formsOf(value: string): readonly string[] {
  const wellFormed = value.replace(/\p{Surrogate}/gu, '\ufffd');
  return [value, encodeURIComponent(wellFormed), JSON.stringify(value).slice(1, -1), ...base64Forms(wellFormed)];
}
