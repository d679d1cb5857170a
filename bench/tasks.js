import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLI, ENVIRONMENT, makeRepository, planText, SPEC } from './sample.js';
import { median, medianRatio } from './statistics.js';
import { Turns } from './turns.js';

const AGENT = fileURLToPath(new URL('./agent.js', import.meta.url));
const FLOOR = fileURLToPath(new URL('./floor.js', import.meta.url));
const TURN_TASKS_MAX = 5;
const POLL_MS = 50;

/**
 * What a task costs us and what it costs at least, at plans of one size. `options` are passed to `implement`. Resolves
 * with milliseconds a task of each, the median ratio of neighbouring turns, the ratio of the processor time that both and
 * all they started took, and the coordinator's peak memory in MiB.
 */
export async function measureTasks(count, { rounds, options }) {
  const turnTasks = Math.min(TURN_TASKS_MAX, Math.ceil(count / 5));
  const lengths = { ours: [], floor: [] };
  const ticks = { ours: 0, floor: 0 };
  let peakMiB = 0;
  for (let round = 0; round < rounds; round++) {
    const { turns, ours, floor } = await measureOnce(count, { turnTasks, options });
    lengths.ours.push(...turns.ours);
    lengths.floor.push(...turns.floor);
    ticks.ours += ours.ticks;
    ticks.floor += floor.ticks;
    peakMiB = Math.max(peakMiB, ours.peakMiB);
  }
  return {
    oursMs: median(lengths.ours) / turnTasks,
    floorMs: median(lengths.floor) / turnTasks,
    ratio: medianRatio(lengths.ours, lengths.floor),
    processorRatio: ticks.ours / ticks.floor,
    peakMiB,
  };
}

async function measureOnce(count, { turnTasks, options }) {
  const dir = mkdtempSync(join(tmpdir(), 'specloop-bench-'));
  const turns = new Turns();
  const socket = join(dir, 'turns');
  try {
    await turns.listen(socket);
    const agent = (side) => JSON.stringify([process.execPath, AGENT, socket, side, String(turnTasks)]);
    const [ours, floor] = await Promise.all([
      live(turns, 'ours', {
        cwd: repository(dir, 'ours', count),
        argv: [CLI, 'implement', SPEC, '--agent-command', agent('ours'), ...options],
      }),
      live(turns, 'floor', { cwd: repository(dir, 'floor', count), argv: [FLOOR, agent('floor')] }),
    ]);
    return { turns: turns.lengths, ours, floor };
  } finally {
    turns.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function repository(dir, side, count) {
  const path = join(dir, side);
  makeRepository(path, planText(count));
  return path;
}

/** Runs one side to its end; resolves with what it took, as it was seen last. */
async function live(turns, side, { cwd, argv }) {
  const child = spawn(process.execPath, argv, { cwd, env: ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  let taken = { ticks: 0, peakMiB: 0 };
  const poll = setInterval(() => {
    taken = takenBy(child.pid) ?? taken;
  }, POLL_MS);
  const [code] = await once(child, 'close');
  clearInterval(poll);
  turns.leave(side);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}.\n${said}`);
  return taken;
}

/** Processor time of a process and of all it waited for, in the system's ticks, and its peak memory. */
function takenBy(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15);
    const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    if (kib === undefined) return undefined; // It has ended, and its memory is gone.
    return { ticks: fields.reduce((sum, field) => sum + Number(field), 0), peakMiB: Number(kib) / 1024 };
  } catch {
    return undefined; // It has just ended.
  }
}
