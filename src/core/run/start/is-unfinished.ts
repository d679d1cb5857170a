import type { RunState } from '../data/state.ts';

/** Whether a run was interrupted or stopped, or a person has to do something first, and so goes on at the next start. */
export function isUnfinished({ ended, gate, progress }: RunState): boolean {
  if (ended === undefined || ended.result === 'interrupted' || ended.result === 'fault' || gate !== undefined)
    return true;
  return ended.result === 'waiting' && [...progress.values()].some(({ at }) => at === 'asking');
}
