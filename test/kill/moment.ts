import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment } from './kills.ts';

/** Resolves at the moment, counted from now, or when the signal is aborted. `tookMs` is what the scenario takes undisturbed. */
export async function reached(
  moment: Moment,
  { dir, tookMs, signal }: { readonly dir: string; readonly tookMs: number; readonly signal: AbortSignal },
): Promise<void> {
  if (moment.after === 'time') {
    await sleep(moment.share * tookMs, undefined, { signal }).catch(() => {});
    return;
  }
  const look = moment.after === 'commits' ? () => textOf(join(dir, '.git/refs/heads/feat/demo')) : () => eventsIn(dir);
  let seen = look();
  for (let left = moment.count; left > 0 && !signal.aborted; ) {
    await sleep(1);
    const found = look();
    if (found !== seen) left -= typeof found === 'number' && typeof seen === 'number' ? found - seen : 1;
    seen = found;
  }
}

/** The number of lines in all journals of the repository. */
function eventsIn(dir: string): number {
  const folder = join(dir, '.git/.specloop');
  const journals = namesIn(folder).filter((name) => name.endsWith('journal.jsonl'));
  return journals.reduce((sum, name) => sum + textOf(join(folder, name)).split('\n').length - 1, 0);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // It is not there yet, or changes as it is read.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
