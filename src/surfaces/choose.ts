/** How a run is shown to a person: a live screen, plain sentences, or not at all. */
export type View = 'live' | 'plain' | 'silent';

/** What is known of the place a run is shown at. */
export interface OutputPlace {
  /** The stream for people. */
  readonly stderr: { readonly isTTY: boolean; readonly columns?: number };
  readonly stdoutIsTTY: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether events go to stdout (R-UX-2). */
  readonly json: boolean;
  /** What the person asked for. */
  readonly ui: 'auto' | View;
}

const LIVE_COLUMNS_MIN = 40;

/**
 * Which view suits the place. A live screen needs a terminal, whatever was asked; sentences and events on the same
 * terminal would only garble each other.
 */
export function chooseView({ stderr, stdoutIsTTY, env, json, ui }: OutputPlace): View {
  if (ui === 'plain' || ui === 'silent') return ui;
  if (json && stdoutIsTTY) return 'silent';
  if (!stderr.isTTY) return 'plain';
  if (ui === 'live') return 'live';
  const isWide = (stderr.columns ?? 80) >= LIVE_COLUMNS_MIN;
  return isWide && env.TERM !== 'dumb' && !isCi(env) ? 'live' : 'plain';
}

/** Whether to colour what goes to a stream: `NO_COLOR`, then `FORCE_COLOR`, then whether it is a terminal (R-UX-1). */
export function mayColour({ stderr, env }: Pick<OutputPlace, 'stderr' | 'env'>): boolean {
  if (isSet(env.NO_COLOR)) return false;
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stderr.isTTY && env.TERM !== 'dumb';
}

/** Whether the locale can show more than ASCII. */
export function mayUseUnicode({ env }: Pick<OutputPlace, 'env'>): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(isSet) ?? '';
  return /utf-?8/i.test(locale);
}

/**
 * Whether the terminal's own progress display may be used. A multiplexer does not pass it on, and the console of Linux
 * prints it.
 */
export function mayShowTaskbar({ stderr, env }: Pick<OutputPlace, 'stderr' | 'env'>): boolean {
  return stderr.isTTY && !isSet(env.TMUX) && !/^(screen|tmux|linux|dumb)/.test(env.TERM ?? '');
}

function isCi({ CI }: OutputPlace['env']): boolean {
  return isSet(CI) && CI !== 'false' && CI !== '0';
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
