import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readToolReport, type ToolReport } from './tool-report.ts';

/** What the tools of an attempt may show. */
export interface ShownToAgent {
  /** The block of its task. */
  readonly task: string;
  /** What its progress file says. */
  readonly progress: string;
}

/** Names the folder of the attempt, and the token that binds a server to it, in the environment of the server alone. */
export const FOLDER_VARIABLE = 'SPECLOOP_MCP_FOLDER';
export const TOKEN_VARIABLE = 'SPECLOOP_MCP_TOKEN';

const ATTEMPT_FILE = 'attempt.json';
const TOLD_FILE = 'told.jsonl';
const BYTES_MAX = 1024 * 1024;
const FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A call that is not taken: its token belongs to another attempt, or its attempt is over. The message is for the agent. */
export class Refused extends Error {}

/** Opens the channel of one attempt in a folder of its own, which holds the token only as a digest (R-AGT-9). */
export function openChannel(folder: string, token: string, shown: ShownToAgent): void {
  writeFileSync(join(folder, ATTEMPT_FILE), JSON.stringify({ token: digest(token), ...shown }), { mode: 0o600 });
  writeFileSync(join(folder, TOLD_FILE), '', { mode: 0o600 });
}

/** What an agent said by tools. */
export interface ToldByTools {
  /** In its order. */
  readonly told: readonly ToolReport[];
  /** Sentences for people about what was not used. */
  readonly warnings: readonly string[];
}

/** Takes what the agent said, and removes the folder, so that no further call is taken. */
export function closeChannel(folder: string): ToldByTools {
  try {
    const lines = readPlain(join(folder, TOLD_FILE)).split('\n').slice(0, -1);
    const told = lines.map(readToolReport).filter((report) => report !== undefined);
    return { told, warnings: told.length < lines.length ? [notUsed('a line of it is damaged.')] : [] };
  } catch (error) {
    return { told: [], warnings: [notUsed(error instanceof Error ? error.message : String(error))] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function notUsed(why: string): string {
  return `Not all that the agent said by the tools of specloop was used: ${why}`;
}

/** What the attempt may see. Throws `Refused` if the token is not that of the attempt, or the attempt is over. */
export function readShown(folder: string, token: string): ShownToAgent {
  let attempt: ShownToAgent & { readonly token: string };
  try {
    attempt = JSON.parse(readPlain(join(folder, ATTEMPT_FILE)));
  } catch {
    throw new Refused('Refused: the attempt is over. Nothing that you call now has an effect.');
  }
  if (attempt.token !== digest(token)) throw new Refused('Refused: the token belongs to another attempt.');
  return attempt;
}

/** Writes down what the agent said. Throws `Refused` as above, or if it said too much. */
export function tell(folder: string, token: string, told: ToolReport): void {
  readShown(folder, token);
  const line = `${JSON.stringify(told)}\n`;
  const fd = openSync(join(folder, TOLD_FILE), constants.O_WRONLY | constants.O_APPEND | FLAGS);
  try {
    if (fstatSync(fd).size + Buffer.byteLength(line) > BYTES_MAX)
      throw new Refused('Refused: this attempt has called too much. Say the rest in your final answer.');
    appendFileSync(fd, line);
  } finally {
    closeSync(fd);
  }
}

/** Whatever an agent put in the place of a file is never followed and never waited for. */
function readPlain(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | FLAGS);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is not a plain file.');
    if (stat.size > BYTES_MAX) throw new Error(`it has ${stat.size} bytes; at most ${BYTES_MAX} are read.`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
