import * as z from 'zod/mini';
import { ForgeFault } from '../../../ports/forge.ts';
import type { Ended, Processes } from '../../../ports/process.ts';
import { programOutside } from '../../program/program-outside.ts';
import { faultOfAnswer, faultOfEnd, faultOfErrors, type HttpAnswer, missing } from './faults.ts';

/** With what `gh` is started (R-PR-7). */
export interface GhOptions {
  readonly processes: Processes;
  /** All that `gh` gets, its own variables included. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path; a `gh` in the working tree around it is not used (R-VER-14). */
  readonly cwd: string;
  readonly host: string;
  readonly signal?: AbortSignal | undefined;
  /** How long one request may take. Default 60 seconds. */
  readonly wallMs?: number;
}

/** A request of the REST interface. */
export interface RestRequest {
  /** Default `GET`. */
  readonly method?: 'GET' | 'POST' | 'PATCH';
  /** Relative to the interface, as `repos/acme/app/pulls`; what comes from outside in it is encoded. */
  readonly path: string;
  readonly body?: unknown;
}

/** Asks GitHub by `gh api`. All methods throw `ForgeFault`. */
export interface Gh {
  /** The answer, as the schema has it. */
  rest<Answer>(request: RestRequest, schema: z.ZodMiniType<Answer>): Promise<Answer>;
  /** The last part of an answer that is text, at most so many bytes. */
  text(path: string, limits: { readonly bytesMax: number }): Promise<string>;
  graphQl<Answer>(query: string, variables: QueryVariables, schema: z.ZodMiniType<Answer>): Promise<Answer>;
}

export type QueryVariables = Readonly<Record<string, string | number | boolean | null>>;

interface Received extends HttpAnswer {
  readonly body: string;
}

const WALL_MS = 60_000;
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/** What would make `gh` ask questions, or print for a terminal or a developer. */
const UNWANTED: ReadonlySet<string> = new Set(['GH_FORCE_TTY', 'GH_DEBUG', 'DEBUG', 'CLICOLOR_FORCE', 'GH_PAGER']);
const QUIET = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' };

const failure = z.object({ message: z.optional(z.string()), errors: z.optional(z.unknown()) });
const queried = z.object({
  data: z.optional(z.unknown()),
  errors: z.optional(z.array(z.object({ type: z.nullish(z.string()), message: z.string() }))),
});

export function ghApi(options: GhOptions): Gh {
  const { host } = options;
  const request = async ({ method = 'GET', path, body }: RestRequest, bytesMax = ANSWER_BYTES_MAX) => {
    const args = ['--include', '--hostname', host, '--method', method, path];
    const ended = await start(options, body === undefined ? args : [...args, '--input', '-'], { body, bytesMax });
    return received(ended, host);
  };
  return {
    async rest(wanted, schema) {
      const answer = await request(wanted);
      if (!isFine(answer)) throw faultOfAnswer(answer, host);
      return understood(answer, schema, host);
    },
    async text(path, { bytesMax }) {
      const answer = await request({ path }, bytesMax);
      if (!isFine(answer)) throw faultOfAnswer(answer, host);
      return answer.body;
    },
    async graphQl(query, variables, schema) {
      const answer = await request({ method: 'POST', path: 'graphql', body: { query, variables } });
      if (!isFine(answer)) throw faultOfAnswer(answer, host);
      const { data, errors = [] } = understood(answer, queried, host);
      if (errors.length > 0) throw faultOfErrors(errors, answer, host);
      return shaped(data, schema, host);
    },
  };
}

async function start(
  { processes, env, cwd, signal, wallMs = WALL_MS }: GhOptions,
  args: readonly string[],
  { body, bytesMax }: { readonly body: unknown; readonly bytesMax: number },
): Promise<Ended> {
  const program = programOutside('gh', { path: env.PATH, workspace: cwd });
  if (program === undefined) throw missing();
  const passed = Object.entries(env).filter(([name]) => !UNWANTED.has(name));
  return processes.run({
    argv: [program, 'api', ...args],
    cwd,
    env: { ...Object.fromEntries(passed), ...QUIET },
    ...(body !== undefined && { stdin: JSON.stringify(body) }),
    limits: { wallMs },
    tailBytesMax: bytesMax,
    ...(signal && { signal }),
  });
}

/** Takes status and headers from what `gh` printed. Of an answer that was cut they are lost; its success shows by the exit code. */
function received(ended: Ended, host: string): Received {
  const { text, truncated } = ended.stdout;
  const hasSucceeded = ended.how === 'exited' && ended.code === 0;
  if (truncated && hasSucceeded) return { status: 200, headers: new Map(), message: '', body: text };
  const [head, status] = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n/.exec(text) ?? [];
  if (head === undefined || truncated || ended.how !== 'exited') throw faultOfEnd(ended, host);
  const fields = head.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
  });
  const body = text.slice(head.length);
  return { status: Number(status), headers: new Map(fields), message: messageOf(body), body };
}

function isFine({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** What an answer says that says no: its message, and what is wrong with each field. */
function messageOf(body: string): string {
  const { success, data } = failure.safeParse(json(body));
  if (!success) return '';
  return [data.message ?? '', data.errors === undefined ? '' : JSON.stringify(data.errors)].join(' ').trim();
}

function understood<Answer>({ body }: Received, schema: z.ZodMiniType<Answer>, host: string): Answer {
  return shaped(body.trim() === '' ? {} : json(body), schema, host);
}

function shaped<Answer>(value: unknown, schema: z.ZodMiniType<Answer>, host: string): Answer {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.') || 'its beginning';
  throw new ForgeFault('not-understood', `The answer of ${host} has an unexpected form at ${where}.`);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A page of a proxy, as a rule; no schema takes it.
  }
}
