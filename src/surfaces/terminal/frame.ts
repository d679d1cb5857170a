import type { ToolCall } from '../../core/agent/agent-event.ts';
import { instantText } from '../../core/instant.ts';
import type { Pause } from '../../core/run/data/pause.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import { counted, durationText, spentText, taskName } from '../../core/text/words.ts';
import type { Moving, Progress, ProgressStep } from '../../core/view/totals/progress.ts';
import type { Line, Span } from './line.ts';
import type { Symbols } from './symbols.ts';
import { cells, shorten } from './width.ts';

/** Everything one frame of the live region shows. */
export interface FrameScene {
  readonly progress: Progress;
  /** What the run does while no task is under way. */
  readonly idle: string;
  /** For how long each running agent has printed nothing, in milliseconds. By task key. */
  readonly quietMs: ReadonlyMap<string, number>;
  /** The tool that each running agent uses, where its adapter can tell. By task key. */
  readonly doing: ReadonlyMap<string, ToolCall>;
  readonly isStopping: boolean;
  /** Where the logs of the agents are. */
  readonly logs?: string;
}

/** How a frame is drawn. */
export interface Canvas {
  readonly columns: number;
  readonly symbols: Symbols;
  /** Number of the frame, for the spinner. */
  readonly tick: number;
}

/** The footer has three lines, one more may say how many agents are not shown. */
const AGENTS_MAX = 8;
const QUIET_MS_MIN = 10_000;
const TITLE_CELLS_MIN = 10;
/** What an agent uses is shown only where the title keeps room. */
const WIDE_COLUMNS = 100;
const USED_CHARS_MAX = 200;
const USED_CELLS_MAX = 32;
const WAY: readonly ProgressStep[] = ['agent', 'verify', 'review', 'commit'];

/** The lines of the live region, at most twelve: what is under way, and where the run is. */
export function frame(scene: FrameScene, canvas: Canvas): readonly Line[] {
  const { moving } = scene.progress;
  const shown = moving.slice(0, AGENTS_MAX).map((task) => taskLine(task, scene, canvas));
  const more: Line[] =
    moving.length > AGENTS_MAX ? [[{ text: `  and ${moving.length - AGENTS_MAX} more`, tone: 'quiet' }]] : [];
  const idle: Line[] = moving.length === 0 ? [[{ text: `${spinner(canvas)} ${scene.idle}` }]] : [];
  return [...shown, ...more, ...idle, ...footer(scene, canvas)];
}

function taskLine(task: Moving, { quietMs, doing }: FrameScene, canvas: Canvas): Line {
  const { columns, symbols } = canvas;
  const quiet = quietMs.get(task.key) ?? 0;
  const isQuiet = task.step === 'agent' && quiet >= QUIET_MS_MIN;
  const used = isQuiet || columns < WIDE_COLUMNS ? undefined : usedTool(task, doing, symbols);
  const facts: Span[] = [
    ...(task.attempt > 1 ? [{ text: `  attempt ${task.attempt}` }] : []),
    { text: `  ${stepText(task, canvas)}`, tone: 'strong' },
    { text: `  ${clock(task.taskMs)}` },
    ...(isQuiet ? [{ text: `  quiet for ${clock(quiet)}`, tone: 'quiet' } as const] : []),
    ...(used === undefined ? [] : [{ text: `  ${used}`, tone: 'quiet' } as const]),
  ];
  const taken = facts.reduce((sum, { text }) => sum + cells(text), 2);
  const title = shorten(taskName(task), Math.max(TITLE_CELLS_MIN, columns - 1 - taken), symbols.ellipsis);
  return [{ text: `${spinner(canvas)} ` }, { text: title }, ...facts];
}

/** What the agent does now, by tool and file: an agent's text, so only some of it and on one line. */
function usedTool({ key, step }: Moving, doing: FrameScene['doing'], symbols: Symbols): string | undefined {
  const { tool, target } = doing.get(key) ?? {};
  if (tool === undefined || (step !== 'agent' && step !== 'review')) return undefined;
  return shorten(oneLine([tool, target ?? ''].join(' ').trim(), USED_CHARS_MAX), USED_CELLS_MAX, symbols.ellipsis);
}

/** Where in its way a task is; on a narrow screen only the step itself. */
function stepText({ step, pause }: Moving, { columns, symbols }: Canvas): string {
  switch (step) {
    case 'agent':
    case 'verify':
    case 'review':
    case 'commit':
      return columns < 80 ? step : WAY.map((one) => (one === step ? `[${one}]` : one)).join(` ${symbols.arrow} `);
    case 'set-aside':
      return 'setting its work aside';
    case 'plan':
      return 'changing the plan';
    case 'wait':
      return `waiting ${pauseCause(pause)}${pause === undefined ? '' : pauseText(pause)}`;
  }
}

function pauseCause(pause: Pause | undefined): string {
  switch (pause && 'why' in pause ? pause.why : undefined) {
    case 'ended-at-once':
      return 'as the agent ended at once';
    case 'service-failed':
      return "for the agent's service";
    default:
      return 'for a usage limit';
  }
}

function pauseText(pause: Pause): string {
  if ('untilMs' in pause) return pause.why === 'usage-limit' ? ` until ${instantText(pause.untilMs)}` : '';
  return 'until' in pause ? ` until ${oneLine(pause.until, 30)}` : ` for ${durationText(pause.forMs)}`;
}

function footer({ progress, isStopping, logs }: FrameScene, { symbols }: Canvas): readonly Line[] {
  const { done, total, elapsedMs, attempts, rejectedClaims, spent } = progress;
  const spentSoFar = spentText(spent);
  const facts = [
    `${done}/${total} done`,
    clock(elapsedMs),
    counted(attempts, 'attempt'),
    ...(rejectedClaims > 0 ? [`${rejectedClaims} rejected`] : []),
    ...(spentSoFar === undefined ? [] : [spentSoFar]),
  ];
  const keys = isStopping
    ? 'Stopping; Ctrl-C once more ends everything at once.'
    : 'Ctrl-C stops; the same command resumes.';
  return [
    [{ text: `  ${facts.join(` ${symbols.dot} `)}` }],
    [{ text: `  ${keys}`, tone: 'quiet' }],
    ...(logs === undefined ? [] : [[{ text: `  logs: ${oneLine(logs, 400)}`, tone: 'quiet' } as const]]),
  ];
}

/** Whole seconds, so that a frame changes no more often. */
function clock(ms: number): string {
  return durationText(Math.floor(ms / 1000) * 1000);
}

function spinner({ symbols, tick }: Canvas): string {
  return symbols.spinner[tick % symbols.spinner.length] ?? '';
}
