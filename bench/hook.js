import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, ENVIRONMENT, makeRepository, planText, SPEC } from './sample.js';
import { median, medianRatio } from './statistics.js';

const ROUNDS = 15;
const PLAN_TASKS = 100;

/**
 * How long `hook stop` takes, beside `status`, and beside the stop hook of the older plugin if the path of its script is given:
 * that one needs bash and jq. All in turns; medians in milliseconds.
 */
export function measureHook(olderScript) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'specloop-bench-')));
  try {
    makeRepository(dir, planText(PLAN_TASKS));
    writeFileSync(join(dir, 'specs', '.current-spec'), `${SPEC}\n`);
    const state = join(dir, 'specs', SPEC, '.ralph-state.json');
    writeFileSync(state, JSON.stringify({ phase: 'execution', taskIndex: 0, totalTasks: PLAN_TASKS }));
    utimesSync(state, 1, 1); // The older hook waits a second after a change.
    const calls = {
      status: [process.execPath, CLI, 'status', SPEC],
      hook: [process.execPath, CLI, 'hook', 'stop'],
      ...(olderScript === undefined ? {} : { older: ['bash', olderScript] }),
    };
    const times = { status: [], hook: [], older: [] };
    const input = JSON.stringify({ cwd: dir, session_id: 'bench', stop_hook_active: false });
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, argv] of Object.entries(calls)) times[name].push(timeOf(argv, { dir, input }));
    }
    return {
      hookMs: median(times.hook),
      hookRatio: medianRatio(times.hook, times.status),
      ...(olderScript === undefined
        ? {}
        : { olderMs: median(times.older), olderRatio: medianRatio(times.hook, times.older) }),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function timeOf([program, ...argv], { dir, input }) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(program, argv, { cwd: dir, env: ENVIRONMENT, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}.\n${stderr}`);
  return performance.now() - begun;
}
