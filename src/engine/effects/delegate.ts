import { buildBrief } from '../../core/brief/brief.ts';
import { progressContext } from '../../core/progress/context.ts';
import type { Effect } from '../../core/run/effect.ts';
import type { RunEvent } from '../../core/run/event.ts';
import { readAnswer } from '../../core/run/read-answer.ts';
import { progressOf, type RunState } from '../../core/run/state.ts';
import type { World } from '../world.ts';

const PROGRESS_CHARS_MAX = 12_000;

/** Runs one agent on one task in a fresh process and reads what it answers (R-DEL-1 to R-DEL-7). */
export async function delegate(effect: Extract<Effect, { do: 'delegate' }>, state: RunState, world: World): Promise<RunEvent> {
  const { task: key, attempt, role } = effect;
  const { spec, tree, limits, folder, signal } = world;
  const { id, index } = world.plan.task(key);
  const outcome = await world.agentFor(role).work({
    role,
    prompt: await promptFor(effect, state, world),
    workspace: tree.dir,
    variables: {
      SPECLOOP_SPEC: spec.name,
      SPECLOOP_SPEC_DIR: spec.dir,
      SPECLOOP_ROLE: role,
      SPECLOOP_TASK_ID: id,
      SPECLOOP_TASK_INDEX: String(index),
      SPECLOOP_ATTEMPT: String(attempt),
      SPECLOOP_WORKSPACE: tree.dir,
    },
    limits: { wallMs: limits.taskTimeoutMs, idleMs: limits.idleTimeoutMs },
    logFile: folder.logPath(`${key}/attempt-${attempt}.log`),
    signal,
  });
  const { how, message, answer, usage, durationMs, resetsAt } = outcome;
  return {
    type: 'agent-returned',
    task: key,
    attempt,
    how,
    message,
    answer: readAnswer(answer, { role, taskId: id, admissions: world.admissions }),
    usage,
    durationMs,
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
}

async function promptFor({ task: key, attempt, role }: Extract<Effect, { do: 'delegate' }>, state: RunState, { spec, plan, files }: World): Promise<string> {
  const progress = await files.read('.progress.md').catch(() => undefined);
  const last = progressOf(state, key).failures.at(-1);
  return buildBrief({
    role,
    spec: { name: spec.name, path: spec.path },
    task: plan.task(key),
    attempt,
    progress: progressContext(progress, { charsMax: PROGRESS_CHARS_MAX }),
    bookkeeping: state.policy.bookkeeping,
    ...(last ? { lastFailure: { layer: last.failure.layer, text: last.failure.text } } : {}),
  });
}
