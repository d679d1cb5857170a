import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, ENVIRONMENT, makeRepository, planText, SPEC } from './sample.js';
import { median, medianRatio } from './statistics.js';

const ROUNDS = 25;
const PLAN_TASKS = 100;

/** How long commands take that people wait for, beside a Node that does nothing. All in turns; medians in milliseconds. */
export function measureStartUp() {
  const dir = mkdtempSync(join(tmpdir(), 'specloop-bench-'));
  try {
    makeRepository(dir, planText(PLAN_TASKS));
    const calls = { node: ['-e', '0'], version: [CLI, '--version'], status: [CLI, 'status', SPEC] };
    const times = { node: [], version: [], status: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, argv] of Object.entries(calls)) times[name].push(timeOf(argv, dir));
    }
    return {
      nodeMs: median(times.node),
      versionMs: median(times.version),
      versionRatio: medianRatio(times.version, times.node),
      statusMs: median(times.status),
      statusRatio: medianRatio(times.status, times.node),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function timeOf(argv, cwd) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd, env: ENVIRONMENT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}.\n${stderr}`);
  return performance.now() - begun;
}
