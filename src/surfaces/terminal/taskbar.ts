import { oneLine } from '../../core/text/sanitise.ts';
import type { Progress } from '../../core/view/totals/progress.ts';

const MESSAGE_CHARS_MAX = 120;
/** Terminals drop the display when they hear nothing of it for about fifteen seconds. */
const REFRESH_MS = 5000;
const CLEARED = '\x1b]9;4;0\x1b\\';

/** The progress that a terminal shows in its tab or the taskbar (OSC 9;4). */
export interface Taskbar {
  /** What to write so that it shows this; empty while it does. */
  show(progress: Progress, nowMs: number): string;
  /** What to write so that it shows nothing. */
  clear(): string;
}

export function taskbar(): Taskbar {
  let shown = '';
  let shownAtMs = 0;
  return {
    show({ done, total, moving }, nowMs) {
      const isPaused = moving.length > 0 && moving.every(({ step }) => step === 'wait');
      const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
      const text = `\x1b]9;4;${isPaused ? 4 : 1};${percent}\x1b\\`;
      if (text === shown && nowMs - shownAtMs < REFRESH_MS) return '';
      shown = text;
      shownAtMs = nowMs;
      return text;
    },
    clear() {
      const wasShown = shown !== '';
      shown = '';
      return wasShown ? CLEARED : '';
    },
  };
}

/** What makes a terminal call a person: its bell, and a message where it shows these (OSC 9). */
export function callFor(text: string, { showsMessages }: { readonly showsMessages: boolean }): string {
  return showsMessages ? `\x07\x1b]9;${oneLine(text, MESSAGE_CHARS_MAX)}\x1b\\` : '\x07';
}

/** A taskbar for terminals that do not understand it. */
export const noTaskbar: Taskbar = { show: () => '', clear: () => '' };
