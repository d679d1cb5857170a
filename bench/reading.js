import { planText } from './sample.js';
import { median, medianRatio } from './statistics.js';

const ROUNDS = 15;

/** How long a plan takes to read, beside `JSON.parse` of the same text as a list of lines. Medians in milliseconds. */
export async function measureReading(count) {
  const { parsePlan } = await import('../dist/core.js');
  const text = planText(count);
  const json = JSON.stringify(text.split('\n'));
  const times = { plan: [], json: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.plan.push(timeOf(() => parsePlan(text)));
    times.json.push(timeOf(() => JSON.parse(json)));
  }
  return {
    bytes: text.length,
    planMs: median(times.plan),
    jsonMs: median(times.json),
    ratio: medianRatio(times.plan, times.json),
  };
}

function timeOf(work) {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}
