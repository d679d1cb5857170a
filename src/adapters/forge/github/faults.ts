import { oneLine } from '../../../core/text/sanitise.ts';
import { ForgeFault, type ForgeTrouble } from '../../../ports/forge.ts';
import type { Ended } from '../../../ports/process.ts';

/** An answer of GitHub that says no. */
export interface HttpAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** What it says about itself: untrusted text. */
  readonly message: string;
}

/** One of the errors that an answer of GraphQL lists. */
export interface GraphQlError {
  readonly type?: string | null | undefined;
  readonly message: string;
}

const WORDS_MAX = 300;
const SECONDARY_PAUSE_MS = 60_000;
const NETWORK =
  /^(get|head|post|put|patch|delete) "?http|error connecting to|dial (tcp|unix)|connection|timeout|tls|eof/im;
const SIGN_IN = /gh auth login|authentication token|not logged in/i;

/** Why `gh` gave no answer of GitHub: it did not start, or ended before it got one. */
export function faultOfEnd(ended: Ended, host: string): ForgeFault {
  const words = said(ended.stderr.text);
  if (ended.how === 'not-started') {
    const isMissing = ended.reason === 'not-found' || ended.reason === 'not-permitted';
    return isMissing ? missing() : fault('unavailable', `gh could not be started: ${said(ended.message)}`);
  }
  if (ended.how === 'killed') return fault('unavailable', `gh was ended before ${host} answered`);
  if (ended.code === 4 || SIGN_IN.test(ended.stderr.text)) return signedOut(host);
  if (NETWORK.test(ended.stderr.text)) return fault('unavailable', `${host} cannot be reached: ${words}`);
  return fault('not-understood', `gh ended with code ${ended.code}: ${words}`);
}

/** `gh` is not on the PATH. */
export function missing(): ForgeFault {
  return new ForgeFault(
    'missing',
    'The program gh was not found on the PATH (one in the working tree or node_modules is not used). Install it (https://cli.github.com), then run "gh auth login".',
  );
}

/** Why GitHub refused a request, by its status and headers. */
export function faultOfAnswer({ status, headers, message }: HttpAnswer, host: string): ForgeFault {
  const words = said(message);
  const limited = limitOf({ status, headers, message });
  if (limited !== undefined)
    return fault('limited', `${host} accepts no more requests for now: ${words}`, limited.retryAt);
  if (status === 401) return signedOut(host);
  if (status >= 500 || status === 408) return fault('unavailable', `${host} failed with HTTP ${status}: ${words}`);
  return fault(troubleOf(status), explained(troubleOf(status), { host, words: `${words} (HTTP ${status})` }));
}

/** Why GitHub answered a query with errors; the first that has a type says so. */
export function faultOfErrors(errors: readonly GraphQlError[], answer: HttpAnswer, host: string): ForgeFault {
  const { type, message } = errors.find((error) => error.type) ?? errors[0] ?? { message: '' };
  if (type === 'RATE_LIMITED' || limitOf({ ...answer, message }) !== undefined)
    return fault('limited', `${host} accepts no more requests for now: ${said(message)}`, resetOf(answer));
  const trouble = TROUBLES[type ?? ''] ?? (PASSING.test(message) ? 'unavailable' : type ? 'refused' : 'not-understood');
  return fault(trouble, explained(trouble, { host, words: said(message) }));
}

const PASSING = /something went wrong|timed? ?out|try again/i;
const TROUBLES: Readonly<Record<string, ForgeTrouble>> = {
  NOT_FOUND: 'gone',
  FORBIDDEN: 'denied',
  INSUFFICIENT_SCOPES: 'denied',
  SERVICE_UNAVAILABLE: 'unavailable',
};

function troubleOf(status: number): ForgeTrouble {
  if (status === 403) return 'denied';
  if (status === 404 || status === 410) return 'gone';
  return status >= 400 ? 'refused' : 'not-understood';
}

function explained(trouble: ForgeTrouble, { host, words }: { readonly host: string; readonly words: string }): string {
  switch (trouble) {
    case 'denied':
      return `The account may not do that on ${host}: ${words}. "gh auth status --hostname ${host}" shows what it may do`;
    case 'gone':
      return `It is not on ${host}, or not visible to the account: ${words}`;
    case 'refused':
      return `${host} refused it: ${words}`;
    default:
      return `The answer of ${host} was not understood: ${words}`;
  }
}

function signedOut(host: string): ForgeFault {
  return new ForgeFault('signed-out', `gh is not signed in to ${host}. Run "gh auth login --hostname ${host}".`);
}

/** Too many requests: in the hour (primary), or at once (secondary), which has a status of 403 or 429. */
function limitOf(answer: HttpAnswer): { readonly retryAt: string | undefined } | undefined {
  const { status, headers, message } = answer;
  const isSecondary = headers.has('retry-after') || /secondary rate limit|abuse detection/i.test(message);
  if (status !== 403 && status !== 429 && !(status === 200 && isSecondary)) return undefined;
  if (isSecondary) return { retryAt: laterBy(headers) };
  if (headers.get('x-ratelimit-remaining') === '0' || status === 429) return { retryAt: resetOf(answer) };
  return undefined;
}

function resetOf({ headers }: HttpAnswer): string | undefined {
  const seconds = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  return instant(seconds * 1000);
}

/** By GitHub's own clock, which stamps every answer. */
function laterBy(headers: HttpAnswer['headers']): string | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const pauseMs = Number.isFinite(seconds) ? seconds * 1000 : SECONDARY_PAUSE_MS;
  return instant(Date.parse(headers.get('date') ?? '') + pauseMs);
}

function instant(ms: number): string | undefined {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

function fault(trouble: ForgeTrouble, words: string, retryAt?: string): ForgeFault {
  return new ForgeFault(trouble, `${words}.`, retryAt);
}

/** What a program or GitHub says, safe to show and without its full stop. */
function said(text: string): string {
  const words = oneLine(text.trim(), WORDS_MAX).replace(/[.\s]+$/, '');
  return words === '' ? 'it gave no reason' : words;
}
