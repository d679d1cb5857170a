/**
 * Measures what the coordinator costs, as ratios to what cannot be avoided. `npm run bench`, with `-- --full` for the
 * largest plan, `-- --older-hook FILE` for the stop hook of the older plugin. What is compared runs in turns on the same machine in the same minutes; see docs/performance.md.
 */
import { existsSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { measureBatch } from './batch.js';
import { measureHook } from './hook.js';
import { measureReading } from './reading.js';
import { CLI } from './sample.js';
import { measureStartUp } from './start-up.js';
import { measureTasks } from './tasks.js';

const isFull = process.argv.includes('--full');
const olderHookAt = process.argv.indexOf('--older-hook');
const olderHook = olderHookAt === -1 ? undefined : process.argv[olderHookAt + 1];
/** Plans and how often each is run: the small ones are over too soon to mean much once. */
const PLANS = [[10, 5], [100, 1], [1000, 1], ...(isFull ? [[5000, 1]] : [])];

if (!existsSync(CLI)) throw new Error('There is nothing to measure. Run "npm run build" first.');
print(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} at the start.`);

print('\nA task, every check but reviews on, beside starting the same agent and committing the same files:\n');
print('    tasks   ours (ms)  floor (ms)   ratio   processor   peak memory (MiB)');
for (const [count, rounds] of PLANS) row(count, await measureTasks(count, { rounds, options: ['--review', 'off'] }));

print('\nThe same in recovery mode, when nothing fails:\n');
row(100, await measureTasks(100, { rounds: 1, options: ['--review', 'off', '--recovery-mode'] }));

print('\nThe same with a reviewer for every fifth task, who is one more agent for us and none for the floor:\n');
row(100, await measureTasks(100, { rounds: 1, options: [] }));

print('\nA batch of 16 tasks of ten seconds, 8 in parallel, each in a worktree, beside its agents alone:\n');
const { oursMs, idealMs } = await measureBatch(16, 8);
print(`    ours ${ms(oursMs)} ms, ideal ${ms(idealMs)} ms${times(oursMs / idealMs)}`);

print('\nStart-up, beside a Node that does nothing:\n');
const { nodeMs, versionMs, versionRatio, statusMs, statusRatio } = measureStartUp();
print(`    node -e 0              ${ms(nodeMs)} ms`);
print(`    specloop --version     ${ms(versionMs)} ms${times(versionRatio)}`);
print(`    specloop status        ${ms(statusMs)} ms${times(statusRatio)}`);

print('\nThe hook that is asked before a session ends, beside status:\n');
const { hookMs, hookRatio, olderMs, olderRatio } = measureHook(olderHook);
print(`    specloop hook stop     ${ms(hookMs)} ms${times(hookRatio)}`);
if (olderMs !== undefined) print(`    the older plugin's     ${ms(olderMs)} ms, ours${times(olderRatio)} of it`);

print('\nReading a plan, beside JSON.parse of the same text as a list of lines:\n');
for (const count of [1_000, 10_000, 100_000]) {
  const { bytes, planMs, jsonMs, ratio } = await measureReading(count);
  const size = `${String(count).padStart(7)} tasks (${(bytes / 1e6).toFixed(1)} MB)`;
  print(`    ${size.padEnd(26)}${ms(planMs)} ms, JSON ${ms(jsonMs)} ms${times(ratio)}`);
}

function row(count, { oursMs, floorMs, ratio, processorRatio, peakMiB }) {
  const cells = [ms(oursMs), ms(floorMs), times(ratio), times(processorRatio), peakMiB.toFixed(0).padStart(8)];
  print(`  ${String(count).padStart(7)}  ${cells.join('  ')}`);
}

function ms(value) {
  return value.toFixed(1).padStart(10);
}

function times(ratio) {
  return `${ratio.toFixed(2)}×`.padStart(8);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
