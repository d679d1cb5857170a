import { expect, test } from 'vitest';
import type { HandOver } from '../../core/run/data/hand-over.ts';
import { HandedOver } from './handed-over.ts';

const handOver: HandOver = {
  effect: { do: 'review', task: '1.1', attempt: 1, round: 1 },
  holder: { driver: 'ci', token: 't1', until: '2030-01-31T10:00:00.000Z' },
};
const given = { role: 'reviewer', prompt: 'Look.', workspace: '/r', variables: {} } as const;

/** Records in memory, and a clock that is set by hand. */
function desk() {
  const records = new Map<string, string>();
  let now = '2030-01-31T09:00:00.000Z';
  const folder = {
    readRecord: async (name: string) => records.get(name),
    writeRecord: async (name: string, text: string) => void records.set(name, text),
  };
  const handedOver = new HandedOver(folder, { now: () => now });
  return { records, handedOver, at: (time: string) => (now = time) };
}

test('an answer is kept with the time it was reported at, and read as often as asked for (R-SES-3)', async () => {
  const { handedOver, at } = desk();
  await handedOver.give('t1', given);
  const brief = (await handedOver.brief('t1')) ?? { ...given, since: '' };
  expect(await handedOver.outcome(handOver, brief)).toBeUndefined();
  at('2030-01-31T09:10:00.000Z');
  await handedOver.report('t1', 'REVIEW_PASS');
  at('2030-01-31T11:00:00.000Z');
  const reported = { how: 'completed', answer: 'REVIEW_PASS', durationMs: 600_000 };
  expect(await handedOver.outcome(handOver, brief)).toMatchObject(reported);
  expect(await handedOver.outcome(handOver, brief)).toMatchObject(reported);
});

test('work that was not reported in its time is timed out (R-SES-4)', async () => {
  const { handedOver, at } = desk();
  await handedOver.give('t1', given);
  const brief = (await handedOver.brief('t1')) ?? { ...given, since: '' };
  at('2030-01-31T09:59:59.999Z');
  expect(await handedOver.outcome(handOver, brief)).toBeUndefined();
  at('2030-01-31T10:00:00.000Z');
  expect(await handedOver.outcome(handOver, brief)).toMatchObject({ how: 'timed-out', answer: '' });
});

test.each(['', '{', 'null', '7'])('a record that holds %j counts as never written (R-FILE-7)', async (text) => {
  const { records, handedOver } = desk();
  for (const name of ['brief', 'answer', 'noticed']) records.set(`handed-over/t1/${name}.json`, text);
  expect(await handedOver.brief('t1')).toBeUndefined();
  expect(await handedOver.noticed('t1')).toBeUndefined();
  expect(await handedOver.outcome(handOver, { ...given, since: '2030-01-31T09:00:00.000Z' })).toBeUndefined();
});

test('the first answer counts, and with it who it came from; a later copy of it changes nothing (R-SES-3)', async () => {
  const { handedOver } = desk();
  await handedOver.report('t1', 'REVIEW_FAIL', 'helper');
  await handedOver.report('t1', 'REVIEW_PASS');
  expect(await handedOver.reported('t1')).toMatchObject({ answer: 'REVIEW_FAIL', by: 'helper' });
  await handedOver.report('t2', 'REVIEW_PASS');
  expect(await handedOver.reported('t2')).not.toHaveProperty('by');
});
