import type { Painted } from './line.ts';

const UP = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '');
const DOWN = '\x1b[1B';
const ERASE_TO_LINE_END = '\x1b[0K';
const ERASE_BELOW = '\x1b[0J';

/** Keeps a few lines at the bottom of a terminal up to date, while all other text scrolls into its history above them. */
export interface Painter {
  /** What to write so that the terminal shows more history and this region; empty when nothing changed. */
  draw(history: readonly string[], region: readonly Painted[], columns: number): string;
  /** What to write so that the region is gone. */
  erase(columns: number): string;
  /** Something else has written to the terminal: the next region is drawn below it. */
  forget(): void;
}

/**
 * The cursor rests in the region's last row and is never hidden, so that however the program ends there is nothing to put
 * right. Only lines that changed are written.
 */
export function painter(): Painter {
  let shown: readonly Painted[] = [];
  const draw: Painter['draw'] = (history, region, columns) => {
    const rows = shown.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    const isAligned = rows === shown.length && shown.length === region.length && history.length === 0;
    const text = isAligned ? changed(shown, region) : `${toTop(rows)}${repainted(history, region)}`;
    if (history.length === 0 && shown.length === 0 && region.length === 0) return '';
    shown = region;
    return text;
  };
  return {
    draw,
    erase: (columns) => draw([], [], columns),
    forget() {
      shown = [];
    },
  };
}

/** A terminal that became narrower has wrapped the lines it shows. */
function rowsOf({ cells }: Painted, columns: number): number {
  return Math.max(1, Math.ceil(cells / columns));
}

function toTop(rows: number): string {
  return rows === 0 ? '' : `\r${UP(rows - 1)}${ERASE_BELOW}`;
}

function repainted(history: readonly string[], region: readonly Painted[]): string {
  return `${history.map((line) => `${line}\n`).join('')}${region.map(({ text }) => text).join('\n')}`;
}

/** Goes down line by line and writes those that differ. */
function changed(before: readonly Painted[], after: readonly Painted[]): string {
  if (after.every(({ text }, row) => text === before[row]?.text)) return '';
  const rows = after.map(({ text }, row) => (text === before[row]?.text ? '' : `${text}${ERASE_TO_LINE_END}`));
  return `\r${UP(after.length - 1)}${rows.join(`\r${DOWN}`)}`;
}
