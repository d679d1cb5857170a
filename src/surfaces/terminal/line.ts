import type pc from 'picocolors';
import { cells, shorten } from './width.ts';

export type Colours = ReturnType<typeof pc.createColors>;

/** A piece of a line and what it means; colour never says it alone. */
export interface Span {
  readonly text: string;
  readonly tone?: 'good' | 'bad' | 'quiet' | 'strong';
}

/** One line of the screen. */
export type Line = readonly Span[];

/** A line as it goes to the terminal, and how many cells it takes there. */
export interface Painted {
  readonly text: string;
  readonly cells: number;
}

/** The line with its colours, cut at a number of cells. */
export function paint(
  line: Line,
  colours: Colours,
  limits: { readonly cellsMax: number; readonly ellipsis: string },
): Painted {
  let room = limits.cellsMax;
  let text = '';
  for (const span of line) {
    const shown = shorten(span.text, room, limits.ellipsis);
    text += toned(shown, span.tone, colours);
    room -= cells(shown);
    if (shown !== span.text) break;
  }
  return { text, cells: limits.cellsMax - room };
}

function toned(text: string, tone: Span['tone'], colours: Colours): string {
  switch (tone) {
    case 'good':
      return colours.green(text);
    case 'bad':
      return colours.red(text);
    case 'quiet':
      return colours.dim(text);
    case 'strong':
      return colours.bold(text);
    case undefined:
      return text;
  }
}
