import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { NO_WAIT } from '../../adapters/store/disk.ts';
import { tokenIn } from '../../core/brief/token-line.ts';
import { isFinalAnswer, promptIn } from '../../core/session/helper-answer.ts';
import { readHookInput } from '../../core/session/hook-input.ts';
import type { Host } from '../host.ts';
import { isOff } from './facts.ts';
import { findActiveSpec } from './find-spec.ts';

const TRANSCRIPT_BYTES_MAX = 1024 * 1024;

/**
 * Writes down the final answer of a helper whose prompt, or answer, holds the token of an open delegation: it is then the helper's
 * own, and the next call of its session checks it (R-SES-3). Resolves with whether one was written down. Throws what reading throws.
 */
export async function subagentStopHook(inputText: string, { env }: Pick<Host, 'env'>): Promise<boolean> {
  const { cwd, lastMessage: answer, helperTranscript } = readHookInput(inputText) ?? {};
  if (cwd === undefined || answer === undefined || !isFinalAnswer(answer)) return false;
  const token =
    tokenIn(answer) ?? tokenIn(promptIn(helperTranscript === undefined ? '' : beginningOf(helperTranscript)));
  if (token === undefined) return false;
  const active = await findActiveSpec(cwd, env);
  if (active !== undefined && isOff(active)) return false;
  const { recordOwnAnswer } = await import('../session/submit.ts');
  const dir = active?.dir ?? cwd;
  return await recordOwnAnswer({ cwd: dir, env, notify: () => {} }, { token, answer });
}

/** The beginning of a file, where the prompt is; nothing of what is no plain file, which could be read for ever. */
function beginningOf(file: string): string {
  try {
    const fd = openSync(file, constants.O_RDONLY | NO_WAIT);
    try {
      if (!fstatSync(fd).isFile()) return '';
      const bytes = Buffer.alloc(TRANSCRIPT_BYTES_MAX);
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}
