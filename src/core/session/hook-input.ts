import type { JsonValue } from '../json.ts';
import { oneLine } from '../text/sanitise.ts';
import { objectIn } from './object-in.ts';

/** What an agent's program tells a hook, as far as a hook of ours looks at it (R-SES-5). A field of another type counts as absent. */
export interface HookInput {
  /** The folder that the session works in. */
  readonly cwd?: string;
  readonly sessionId?: string;
  /** The session goes on because a hook blocked its end, and wants to end once more. */
  readonly isContinued: boolean;
  /** Something that the session started in the background is at work. */
  readonly hasBackgroundTasks: boolean;
  /** The last thing that the session, or a helper of it, said. */
  readonly lastMessage?: string;
  /** Absolute path of what a helper was told and said, one JSON object a line. */
  readonly helperTranscript?: string;
}

const SESSION_CHARS_MAX = 200;
const ENDED: readonly unknown[] = ['completed', 'failed', 'killed', 'cancelled', 'stopped', 'error'];

/** Reads the JSON that a hook gets; `undefined` if it is no JSON object. */
export function readHookInput(text: string): HookInput | undefined {
  const fields = objectIn(text);
  if (fields === undefined) return undefined;
  const cwd = textOf(fields.cwd);
  const sessionId = sessionOf(fields.session_id);
  const lastMessage = textOf(fields.last_assistant_message);
  const helperTranscript = textOf(fields.agent_transcript_path);
  return {
    isContinued: fields.stop_hook_active === true,
    hasBackgroundTasks: Array.isArray(fields.background_tasks) && fields.background_tasks.some(isAtWork),
    ...(cwd !== undefined && { cwd }),
    ...(sessionId !== undefined && { sessionId }),
    ...(lastMessage !== undefined && { lastMessage }),
    ...(helperTranscript !== undefined && { helperTranscript }),
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Only what `next --session` takes: another id could not be given to it. */
function sessionOf(value: JsonValue | undefined): string | undefined {
  const id = textOf(value);
  return id === undefined || oneLine(id, SESSION_CHARS_MAX) !== id ? undefined : id;
}

/** What does not say that it ended counts as being at work. */
function isAtWork(task: JsonValue): boolean {
  const status = typeof task === 'object' && task !== null && 'status' in task ? task.status : undefined;
  return !ENDED.includes(status);
}
