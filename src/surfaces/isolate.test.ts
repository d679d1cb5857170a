import { expect, test } from 'vitest';
import { begun, recorded, steps, task } from '../core/view/test-rig.ts';
import { isolate, together } from './isolate.ts';
import { jsonSurface } from './json/json.ts';
import { logSurface } from './log/log.ts';
import type { Surface } from './surface.ts';
import { broken, Paper, SlowPaper } from './test-rig.ts';

const run = steps(begun([task('1.1')]), recorded('1.1'));

function showAll(surface: Surface, patience = {}) {
  const faults: string[] = [];
  const isolated = isolate(surface, (message) => faults.push(message), patience);
  for (const { envelope, after } of run) isolated.show(envelope, after);
  return { isolated, faults };
}

test('the log is one plain sentence a line, and holds no escape (R-UX-1)', async () => {
  const paper = new Paper();
  const { isolated } = showAll(logSurface(paper));
  await isolated.close();
  expect(paper.text).toBe(`demo: 0 of 1 task done, next is 1.1 Add part 1.1.
    agent: fake
    limits: 5 attempts a task, 100 in all
demo: on branch feat/demo at c0ffee0.
1.1 Add part 1.1: starting attempt 1 (executor).
1.1: agent finished; running \`npm test\`.
1.1: done, commit 4f1c9ab
`);
});

test('the event stream is every envelope as one line of JSON (R-UX-2)', async () => {
  const paper = new Paper();
  const { isolated } = showAll(jsonSurface(paper));
  await isolated.close();
  expect(
    paper.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  ).toEqual(run.map(({ envelope }) => envelope));
});

test('a slow reader gets everything in order, and the run does not wait for it', async () => {
  const paper = new SlowPaper();
  const { isolated, faults } = showAll(jsonSurface(paper));
  expect(paper.text.split('\n')).toHaveLength(2);
  paper.go();
  await isolated.close();
  expect(paper.text.split('\n')).toHaveLength(run.length + 1);
  expect(faults).toEqual([]);
});

test('a reader that has left is no failure (R-UX-5)', async () => {
  const { isolated, faults } = showAll(jsonSurface(broken('EPIPE')));
  await isolated.close();
  expect(faults).toEqual([]);
});

test('a stream that cannot be written closes its surface, which is mentioned once', async () => {
  const { isolated, faults } = showAll(jsonSurface(broken('ENOSPC')));
  await isolated.close();
  expect(faults).toEqual([
    'specloop no longer writes to the event stream: write ENOSPC. The run is not affected; its journal holds everything.',
  ]);
});

test('a surface that throws is closed and mentioned once, and its neighbours go on', async () => {
  const paper = new Paper();
  const faults: string[] = [];
  const closed: string[] = [];
  const bad: Surface = {
    name: 'the bad one',
    show() {
      throw new Error('Out of ink.');
    },
    close() {
      closed.push('bad');
      return Promise.reject(new Error('Still out of ink.'));
    },
  };
  const onFault = (message: string) => faults.push(message);
  const both = together([isolate(bad, onFault), isolate(logSurface(paper), onFault)]);
  for (const { envelope, after } of run) both.show(envelope, after);
  both.active('1.1', { type: 'output' });
  await both.close();
  expect(faults).toEqual([
    'specloop no longer writes to the bad one: Out of ink. The run is not affected; its journal holds everything.',
  ]);
  expect(closed).toEqual(['bad']);
  expect(paper.text).toContain('1.1: done');
});

test('a surface that fails at a sign of life is closed like any other', async () => {
  const faults: string[] = [];
  const nervous: Surface = {
    name: 'the nervous one',
    show() {},
    active() {
      throw new Error('Startled.');
    },
    close: async () => {},
  };
  isolate(nervous, (message) => faults.push(message)).active('1.1', { type: 'output' });
  expect(faults).toEqual([
    'specloop no longer writes to the nervous one: Startled. The run is not affected; its journal holds everything.',
  ]);
});

test('a surface that falls too far behind is given up, so that memory is bounded', () => {
  const { faults } = showAll(jsonSurface(new SlowPaper()), { waitingMax: 3 });
  expect(faults).toEqual([
    'specloop no longer writes to the event stream: it is too slow. The run is not affected; its journal holds everything.',
  ]);
});

test('closing does not wait for a reader that takes nothing any more', async () => {
  const { isolated, faults } = showAll(jsonSurface(new SlowPaper()), { idleMsMax: 10 });
  await isolated.close();
  expect(faults).toEqual([
    'specloop no longer writes to the event stream: it no longer accepts output. The run is not affected; its journal holds everything.',
  ]);
});

test('a surface that fails while it closes is mentioned', async () => {
  const sour: Surface = {
    name: 'the sour one',
    show() {},
    close: () => Promise.reject(new Error('Cannot fold.')),
  };
  const { isolated, faults } = showAll(sour);
  await isolated.close();
  expect(faults).toEqual([
    'specloop no longer writes to the sour one: Cannot fold. The run is not affected; its journal holds everything.',
  ]);
});
