import { closeSync, constants, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StructuredClaim } from '../../core/agent/structured-claim.ts';
import type { Usage } from '../../ports/agent.ts';
import type { AgentVerdict } from './ending.ts';

/** Names the file in which a command agent may say more than its answer (R-AGT-5). */
export const REPORT_VARIABLE = 'SPECLOOP_REPORT_FILE';

/** What a report comes to. */
export interface Reported {
  readonly usage: Usage;
  /** What kept the agent from working, if it reported that. */
  readonly verdict?: AgentVerdict;
  readonly claims: readonly StructuredClaim[];
  readonly warnings?: readonly string[];
}

const BYTES_MAX = 64 * 1024;
const NOTHING: Reported = { usage: {}, claims: [] };

const FAILURES: ReadonlyMap<string, AgentVerdict> = new Map([
  ['auth', { how: 'unauthenticated', message: 'The agent reported that it is not signed in.' }],
  ['context', { how: 'context-overflow', message: 'The agent reported that the prompt is too long for its model.' }],
  ['overloaded', { how: 'overloaded', message: 'The agent reported that its service is overloaded.' }],
]);

/**
 * Makes room for the report of one attempt: a temporary folder of its own, as the run's folder may lie inside the working
 * tree. Who takes it removes it. `undefined` if it cannot be made: an attempt is worth more than its report.
 */
export function makeReportFolder(): { readonly folder: string; readonly file: string } | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'specloop-report-'));
    return { folder, file: join(folder, 'report.json') };
  } catch {
    return undefined;
  }
}

/** Removes it with all that an agent put into it. */
export function removeReportFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is a temporary folder; what cannot be removed is in no one's way.
  }
}

/** Reads what an agent reported. One that is not as R-AGT-5 says is not used at all, with a warning. */
export function readReport(file: string): Reported {
  try {
    const text = textOf(file);
    return text === undefined ? NOTHING : reportedIn(JSON.parse(text));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : error instanceof Error ? error.message : `${error}`;
    return { ...NOTHING, warnings: [`The agent's report (${REPORT_VARIABLE}) was not used: ${why}.`] };
  }
}

/** Whatever an agent put in its place is never followed and never waited for. */
function textOf(file: string): string | undefined {
  const found = openIfThere(file);
  if (found === undefined) return undefined;
  try {
    const stat = fstatSync(found);
    const { size } = stat;
    if (!stat.isFile()) throw new Error('it is not a plain file');
    if (size > BYTES_MAX) throw new Error(`it has ${size} bytes; at most ${BYTES_MAX} are read`);
    const bytes = Buffer.alloc(size);
    return bytes.toString('utf8', 0, readSync(found, bytes, 0, size, 0));
  } finally {
    closeSync(found);
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read (${code})`);
  }
}

function reportedIn(value: unknown): Reported {
  const report = fieldsOf(value, 'it', ['costUsd', 'tokens', 'limit', 'failure', 'question']);
  const tokens = report.tokens === undefined ? {} : fieldsOf(report.tokens, '"tokens"', ['input', 'output']);
  const limit = report.limit === undefined ? undefined : fieldsOf(report.limit, '"limit"', ['resetsAt']);
  const costUsd = amount(report.costUsd, 'costUsd');
  const inputTokens = amount(tokens.input, 'tokens.input');
  const outputTokens = amount(tokens.output, 'tokens.output');
  const question = textIn(report.question, 'question');
  const verdict = verdictOf(textIn(report.failure, 'failure'), limit && { resetsAt: instantIn(limit.resetsAt) });
  return {
    usage: {
      ...(costUsd !== undefined && { costUsd }),
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    },
    ...(verdict && { verdict }),
    claims: question === undefined ? [] : [{ status: 'needs-input', question }],
  };
}

/** A limit may come with what it led to. */
function verdictOf(
  failure: string | undefined,
  limit: { readonly resetsAt: string | undefined } | undefined,
): AgentVerdict | undefined {
  const known = failure === undefined ? undefined : FAILURES.get(failure);
  if (failure !== undefined && known === undefined)
    throw new Error(`"failure" is "${failure.slice(0, 40)}", which is none of ${[...FAILURES.keys()].join(', ')}`);
  if (limit === undefined || (known !== undefined && known.how !== 'overloaded')) return known;
  const resetsAt = limit.resetsAt === undefined ? {} : { resetsAt: limit.resetsAt };
  return { how: 'rate-limited', message: 'The agent reported a usage limit.', ...resetsAt };
}

function fieldsOf<Name extends string>(
  value: unknown,
  what: string,
  names: readonly Name[],
): Readonly<Partial<Record<Name, unknown>>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`);
  const unknown = Object.keys(value).find((name) => !(names as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`${what} has an unknown field "${unknown.slice(0, 40)}"`);
  return value as Readonly<Partial<Record<Name, unknown>>>;
}

function amount(value: unknown, name: string): number | undefined {
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value) && value >= 0)) return value;
  throw new Error(`"${name}" is not a number of at least 0`);
}

function textIn(value: unknown, name: string): string | undefined {
  if (value === undefined || (typeof value === 'string' && value.trim() !== '')) return value;
  throw new Error(`"${name}" is not a text`);
}

/** In the form of the port, in UTC. */
function instantIn(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const ms =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(ms)) throw new Error('"limit.resetsAt" is not an instant such as 2026-11-29T05:00:00Z');
  return new Date(ms).toISOString();
}
