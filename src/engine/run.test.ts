import { expect, test } from 'vitest';
import type { StartedEffect } from '../core/run/data/effect.ts';
import type { Envelope, RunEvent } from '../core/run/data/event.ts';
import { fold } from '../core/run/evolve.ts';
import { delegated, plannedTask, returned, started } from '../core/run/test-rig.ts';
import { Inbox } from './inbox.ts';
import { run } from './run.ts';

const tasks = ['1.1', '1.2'].map((id) => plannedTask(id, { parallel: true, files: [`${id}.ts`], filesKnown: true }));
const bothAtWork: RunEvent[] = [
  ...started(tasks, { jobs: 2 }),
  { type: 'effect-started', effect: { do: 'open-batch', members: ['1.1', '1.2'], base: 'c0' } },
  { type: 'batch-opened', members: ['1.1', '1.2'], base: 'c0' },
  delegated('1.1'),
  delegated('1.2'),
];

/** The loop over effects that never end. It stops at the first step that holds `last`, which is a fault. */
async function stepsUpTo(last: RunEvent['type'], arrived: readonly RunEvent[]): Promise<readonly string[][]> {
  const steps: string[][] = [];
  const inbox = new Inbox<RunEvent>();
  const append = async (events: readonly RunEvent[]): Promise<readonly Envelope[]> => {
    steps.push(events.map((event) => (event.type === 'effect-started' ? nameOf(event.effect) : event.type)));
    if (events.some(({ type }) => type === last)) throw new Error('enough');
    return events.map((event, n) => ({ v: 1, seq: n, at: '', spec: 'demo', run: 'r', event }));
  };
  const [first, ...rest] = arrived;
  if (first === undefined) throw new Error('Nothing arrived.');
  for (const event of rest) inbox.put(event);
  const perform = () => new Promise<RunEvent>((_, reject) => aborting.addEventListener('abort', reject));
  const stopping = new AbortController();
  const aborting = stopping.signal;
  const abort = (reason: string): void => {
    if (reason !== 'fault') steps.push(['aborted']);
    stopping.abort();
  };
  const runtime = { journal: { append }, perform, follow: async () => {}, inbox, abort };
  await expect(run(fold(bothAtWork), first, runtime)).rejects.toThrow('enough');
  return steps;
}

function nameOf(effect: StartedEffect): string {
  return 'task' in effect ? `${effect.do} ${effect.task}` : effect.do;
}

test('facts that arrived together are written down in one step, each with the starts that follow from it; a stop is reported at once (R-FILE-7, R-UX-3)', async () => {
  const facts = [returned('1.1'), returned('1.2'), { type: 'stop-requested', signal: 'SIGINT' } as const];
  const steps = await stepsUpTo('stop-requested', facts);
  expect(steps).toEqual([
    ['agent-returned', 'check 1.1'],
    ['aborted'],
    ['agent-returned', 'check 1.2', 'stop-requested'],
  ]);
});

test('what arrives after the end of a run is not written down', async () => {
  const end = { type: 'run-finished', result: 'completed', reason: '', head: 'c0' } as const;
  const late = { type: 'time-ran-out', limitMs: 1 } as const;
  const steps: string[] = [];
  const inbox = new Inbox<RunEvent>();
  inbox.put(end);
  inbox.put(late);
  const append = async (events: readonly RunEvent[]): Promise<readonly Envelope[]> => {
    steps.push(...events.map(({ type }) => type));
    return [];
  };
  const perform = () => new Promise<RunEvent>(() => {});
  await run(fold(bothAtWork), returned('1.1'), {
    journal: { append },
    perform,
    follow: async () => {},
    inbox,
    abort: () => {},
  });
  expect(steps.at(-1)).toBe('run-finished');
});
