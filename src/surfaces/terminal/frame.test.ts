import { describe, expect, test } from 'vitest';
import { instantMs } from '../../core/instant.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import {
  begun,
  checking,
  delegated,
  envelopes,
  instant,
  recorded,
  rejected,
  returned,
  setAside,
  settingAside,
  task,
} from '../../core/view/test-rig.ts';
import { progress } from '../../core/view/totals/progress.ts';
import { tallyOf } from '../../core/view/totals/tally.ts';
import { type Canvas, type FrameScene, frame } from './frame.ts';
import { asciiSymbols, unicodeSymbols } from './symbols.ts';

const plan = [task('1.1'), task('1.2', { title: 'Add the login form' }), task('1.3')];
const wide: Canvas = { columns: 100, symbols: unicodeSymbols, tick: 0 };

interface Look {
  readonly canvas?: Canvas;
  readonly scene?: Partial<FrameScene>;
  /** Seconds after noon. */
  readonly at: number;
}

function drawn(events: readonly (RunEvent | readonly RunEvent[])[], { canvas = wide, scene = {}, at }: Look): string {
  const run = tallyOf(envelopes(...events));
  if (run === undefined) throw new Error('A run has at least one event.');
  const whole: FrameScene = {
    progress: progress(run.state, run.tally, instantMs(instant(at))),
    idle: 'going on',
    quietMs: new Map(),
    doing: new Map(),
    isStopping: false,
    ...scene,
  };
  return frame(whole, canvas)
    .map((line) => line.map(({ text }) => text).join(''))
    .join('\n');
}

describe('the live region (R-UX-2)', () => {
  test('shows the agent at work, its attempt and step, and where the run stands', () => {
    expect(drawn([begun(plan), recorded('1.1'), rejected('1.2'), delegated('1.2', 2)], { at: 222 })).toBe(
      `⠋ 1.2 Add the login form  attempt 2  [agent] ▸ verify ▸ review ▸ commit  2m12s
  1/3 done · 3m42s · 3 attempts · 1 rejected
  Ctrl-C stops; the same command resumes.`,
    );
  });

  test('shows the step that is under way', () => {
    expect(drawn([begun(plan), delegated('1.1'), returned('1.1'), checking('1.1')], { at: 50 }).split('\n')[0]).toBe(
      '⠋ 1.1 Add part 1.1  agent ▸ [verify] ▸ review ▸ commit  20s',
    );
  });

  test('says since when an agent prints nothing, so that silence does not look like a hang', () => {
    const events = [begun(plan), delegated('1.1')];
    expect(drawn(events, { at: 100, scene: { quietMs: new Map([['1.1', 34_567]]) } })).toContain(
      '  1m10s  quiet for 34s\n',
    );
    expect(drawn(events, { at: 100, scene: { quietMs: new Map([['1.1', 9_000]]) } })).not.toContain('quiet');
  });

  test('shows the tool that an agent uses, on one line and only where there is room', () => {
    const events = [begun(plan), delegated('1.1')];
    const doing = new Map([
      ['1.1', { type: 'tool-call' as const, tool: 'Bash', target: 'npm test\n\u001b[2J-- src/a.test.ts' }],
    ]);
    const at = { columns: 120, tick: 0, symbols: wide.symbols };
    expect(drawn(events, { at: 20, canvas: at, scene: { doing } }).split('\n')[0]).toMatch(
      / {2}0s {2}Bash npm test -- src\/a\.test\.ts$/,
    );
    expect(drawn(events, { at: 20, canvas: { ...at, columns: 80 }, scene: { doing } })).not.toContain('Bash');
    const quietMs = new Map([['1.1', 60_000]]);
    expect(drawn(events, { at: 100, canvas: at, scene: { doing, quietMs } })).not.toContain('Bash');
  });

  test('says until when it waits for a usage limit (R-DEL-7)', () => {
    const limited = returned('1.1', {
      how: 'rate-limited',
      message: 'Limit.',
      answer: { signal: 'none', excerpt: '' },
    });
    const wait: RunEvent = {
      type: 'effect-started',
      effect: { do: 'wait', task: '1.1', attempt: 1, pause: { until: '2026-01-01T15:00:00.000Z' } },
    };
    const { kept: _kept, ...aside } = { ...setAside('1.1') } as Extract<RunEvent, { type: 'work-set-aside' }>;
    expect(drawn([begun(plan), delegated('1.1'), limited, settingAside('1.1'), aside, wait], { at: 90 })).toContain(
      'waiting for a usage limit until 2026-01-01T15:00:00.000Z',
    );
  });

  test('shows what is spent, where the logs are, and that it is stopping (R-DEL-8, R-UX-3)', () => {
    const costly = returned('1.1', { usage: { costUsd: 1.5, inputTokens: 2_500_000 } });
    const lines = drawn([begun(plan), delegated('1.1'), costly], {
      at: 45,
      scene: { isStopping: true, logs: '/repo/.specloop/runs/1' },
    }).split('\n');
    expect(lines.slice(1)).toEqual([
      '  0/3 done · 45s · 1 attempt · 1.50 USD, 2.5M tokens',
      '  Stopping; Ctrl-C once more ends everything at once.',
      '  logs: /repo/.specloop/runs/1',
    ]);
  });

  test('between two tasks says what the run does', () => {
    expect(drawn([begun(plan)], { at: 25 }).split('\n')[0]).toBe('⠋ going on');
  });

  test('has at most twelve lines, however many agents work', () => {
    const many = Array.from({ length: 20 }, (_, n) => task(`${n}`));
    const lines = drawn([begun(many), many.map(({ key }) => delegated(key))], {
      at: 300,
      scene: { logs: '/logs' },
    }).split('\n');
    expect(lines).toHaveLength(12);
    expect(lines[8]).toBe('  and 12 more');
  });

  test('on a narrow terminal keeps the step and the time, and shortens the title', () => {
    const canvas = { ...wide, columns: 40 };
    expect(drawn([begun(plan), delegated('1.2', 2)], { at: 100, canvas }).split('\n')[0]).toBe(
      '⠋ 1.2 Add the…  attempt 2  agent  1m10s',
    );
  });

  test('needs nothing but ASCII where the locale is not UTF-8', () => {
    const ascii = drawn([begun(plan), recorded('1.1'), delegated('1.2')], {
      at: 300,
      canvas: { ...wide, columns: 80, symbols: asciiSymbols },
    });
    expect(ascii).toMatch(/^[\x20-\x7e\n]+$/);
  });

  test('a hostile title stays one harmless line (R-SEC-2)', () => {
    const lines = drawn([begun([task('1.1', { title: 'a\n\x1b[2Jb\x9b1m\u202ec' })]), delegated('1.1')], {
      at: 50,
    }).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  });
});
