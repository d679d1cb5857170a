import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '../../core/run/data/event.ts';
import {
  begun,
  checking,
  delegated,
  lastStep,
  recorded,
  rejected,
  returned,
  steps,
  task,
} from '../../core/view/test-rig.ts';
import type { Surface } from '../surface.ts';
import { broken } from '../test-rig.ts';
import { terminalSurface } from './terminal.ts';
import { VirtualTerminal } from './test-rig.ts';

const plan = [task('1.1', { title: 'Add parser' }), task('1.2', { title: 'Add the login form' })];
const NOON = Date.parse('2026-01-01T12:00:00.000Z');
const order = { now: () => Date.now(), colour: false, unicode: true, taskbar: false };

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Shows a run, each event at its time. */
async function play(surface: Surface, ...events: readonly (RunEvent | readonly RunEvent[])[]): Promise<void> {
  for (const { envelope, after } of steps(...events)) {
    await vi.advanceTimersByTimeAsync(Date.parse(envelope.at) - Date.now());
    await surface.show(envelope, after);
  }
}

describe('the live view', () => {
  test('lets finished tasks scroll into the history, above what is under way (R-UX-2)', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, screen: terminal });
    await play(surface, begun(plan), rejected('1.1', 1, 'FAIL parser'), recorded('1.1', 2), delegated('1.2'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(terminal.text.replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] 1.2/, '* 1.2')).toBe(
      `  demo: 0 of 2 tasks done, next is 1.1 Add parser.
      agent: fake
      limits: 5 attempts a task, 100 in all
  demo: on branch feat/demo at c0ffee0.
✖ 1.1: rejected at verify: \`npm test\` exited with 1.
      FAIL parser
  1.1: the work of attempt 1 is kept under refs/specloop/kept/demo/r/1.1/1
✔ 1.1 Add parser  verified · 2 attempts · 1m50s · 4f1c9ab
* 1.2 Add the login form  [agent] ▸ verify ▸ review ▸ commit  5s
  1/2 done · 2m35s · 3 attempts · 1 rejected
  Ctrl-C stops; the same command resumes.`,
    );
    await surface.close();
  });

  test('leaves only the history behind when it is closed', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, screen: terminal });
    await play(surface, begun(plan), recorded('1.1'));
    await surface.close();
    expect(terminal.text.split('\n').at(-1)).toBe('✔ 1.1 Add parser  verified · 1 attempt · 50s · 4f1c9ab');
  });

  test('draws at most ten frames a second, however much happens', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, screen: terminal });
    for (const { envelope, after } of steps(
      begun(plan),
      Array.from({ length: 300 }, () => delegated('1.1')),
    )) {
      await surface.show(envelope, after);
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(terminal.writes.length).toBeLessThanOrEqual(31);
    await surface.close();
  });

  test('moves on while no event comes, and says that an agent is quiet', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, screen: terminal });
    await play(surface, begun(plan), delegated('1.1'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(terminal.text).toContain('  30s  quiet for 30s');
    surface.active?.('1.1', { type: 'output' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(terminal.text).toContain('commit  31s\n');
    await surface.close();
  });

  test('writes no escape but cursor movement without colour, and colours with it (R-UX-1)', async () => {
    const [plain, coloured] = [new VirtualTerminal(100, 24), new VirtualTerminal(100, 24)];
    const surfaces = [
      terminalSurface({ ...order, screen: plain }),
      terminalSurface({ ...order, colour: true, screen: coloured }),
    ];
    for (const surface of surfaces) {
      vi.setSystemTime(NOON);
      await play(surface, begun(plan), recorded('1.1'));
      await surface.close();
    }
    expect(plain.writes.join('').replace(/\x1b\[\d[ABJK]/g, '')).not.toContain('\x1b');
    expect(coloured.writes.join('')).toContain('\x1b[32m✔ \x1b[39m');
  });

  test('what agents print cannot move the cursor or change the terminal (R-SEC-2)', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, screen: terminal });
    const hostile = '\x1b[2J\x1b[?1049h\x1b]0;owned\x07\x9b1m\u202eevil';
    await play(
      surface,
      begun([task('1.1', { title: hostile })]),
      rejected('1.1', 1, hostile),
      delegated('1.1', 2),
      returned('1.1', { attempt: 2, how: 'failed', message: hostile }),
    );
    await surface.close();
    expect(terminal.commands).toEqual([]);
    expect(terminal.writes.join('').replace(/\x1b\[\d[ABJK]/g, '')).not.toMatch(
      /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]/,
    );
  });

  test('is not wider or higher than the terminal', async () => {
    const terminal = new VirtualTerminal(40, 3);
    const surface = terminalSurface({ ...order, screen: terminal, logs: `/${'deep/'.repeat(30)}` });
    await play(surface, begun(plan), delegated('1.2'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(terminal.text.split('\n').slice(-2)).toEqual([
      expect.stringContaining('1.2 Add the login'),
      '  0/2 done · 31s · 1 attempt',
    ]);
    await surface.close();
  });
});

describe('the progress display of the terminal (OSC 9;4)', () => {
  test('follows the tasks and is cleared at the end', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, taskbar: true, screen: terminal });
    await play(surface, begun(plan), recorded('1.1'), delegated('1.2'));
    await surface.close();
    expect([...new Set(terminal.commands)]).toEqual(['9;4;1;0', '9;4;1;50', '9;4;0']);
    expect(terminal.commands.at(-1)).toBe('9;4;0');
  });

  test('a person is called when the run ends to wait for one, on one line (R-AGT-6)', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, taskbar: true, screen: terminal });
    const reason = 'Task 1.1 needs an answer: Which\ndatabase?\u001b[2J';
    await play(surface, begun(plan), { type: 'run-finished', result: 'waiting', reason, head: 'c0' });
    await surface.close();
    expect(terminal.commands.at(-1)).toBe('9;Task 1.1 needs an answer: Which database?');
  });

  test('is refreshed, as terminals drop it otherwise', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, taskbar: true, screen: terminal });
    await play(surface, begun(plan), delegated('1.1'), returned('1.1'), checking('1.1'));
    const before = terminal.commands.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(terminal.commands.length - before).toBeGreaterThanOrEqual(10);
    expect(terminal.commands.length - before).toBeLessThanOrEqual(13);
    await surface.close();
  });

  test('is cleared when the process ends without a close', async () => {
    const terminal = new VirtualTerminal(100, 24);
    const surface = terminalSurface({ ...order, taskbar: true, screen: terminal });
    await play(surface, begun(plan), delegated('1.1'));
    process.listeners('exit').at(-1)?.(0);
    expect(terminal.commands.at(-1)).toBe('9;4;0');
    expect(terminal.text).not.toContain('Ctrl-C');
    await surface.close();
  });
});

test('closing takes every listener of the process back', async () => {
  const listeners = () => [process.listenerCount('exit'), process.listenerCount('SIGCONT')];
  const before = listeners();
  const surface = terminalSurface({ ...order, screen: new VirtualTerminal(100, 24) });
  expect(listeners()).toEqual(before.map((count) => count + 1));
  await surface.close();
  expect(listeners()).toEqual(before);
});

test('after the program was suspended the view is drawn below what the shell wrote', async () => {
  const terminal = new VirtualTerminal(100, 24);
  const surface = terminalSurface({ ...order, screen: terminal });
  await play(surface, begun(plan), delegated('1.1'));
  await vi.advanceTimersByTimeAsync(1000);
  terminal.write('\n$ fg\n');
  vi.setSystemTime(Date.now() + 60_000);
  const { envelope, after } = lastStep(begun(plan), delegated('1.1'), returned('1.1'));
  await surface.show(envelope, after);
  await vi.advanceTimersByTimeAsync(250);
  expect(terminal.cursorLine).toBe('');
  process.emit('SIGCONT');
  await vi.advanceTimersByTimeAsync(1000);
  expect(terminal.text).toMatch(
    /Ctrl-C.*\n\$ fg\n.*1\.1 Add parser[^\n]*\n[^\n]*\n {2}Ctrl-C stops; the same command resumes\.$/,
  );
  await surface.close();
});

test('a terminal that has gone away is no failure, another fault is reported at the next event', async () => {
  const gone = terminalSurface({ ...order, screen: broken('EPIPE') });
  const events = [begun(plan), delegated('1.1')];
  await play(gone, ...events);
  await gone.close();
  vi.setSystemTime(NOON);
  const full = terminalSurface({ ...order, screen: broken('ENOSPC') });
  await expect(play(full, ...events)).rejects.toThrow('write ENOSPC');
  await full.close();
});
