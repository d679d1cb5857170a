import type { Watched } from '../../run/data/event.ts';
import { each, shown } from './phrases.ts';

/** What was noticed around someone's work, one sentence a line (R-VER-14). `told` is what was said of it already; `who` is before each line. */
export function noticedSentence({ noticed }: Watched, who: string, told = ''): string | undefined {
  if (noticed === undefined) return undefined;
  const left = noticed.violations.filter((what) => !told.includes(what));
  return each(
    ...left.map((what) => `${who}: ${shown(what)}`),
    ...noticed.concerns.map((what) => `${who}: worth a look: ${shown(what)}`),
  );
}
