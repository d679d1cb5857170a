import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, ENVIRONMENT, makeRepository, SPEC } from './sample.js';
import { median } from './statistics.js';

const AGENT_SECONDS = 10;
const ROUNDS = 2;

/**
 * Runs tasks of ten seconds in parallel, each in its own worktree. Resolves with the median of how long a run took, and how
 * long the agents alone would take with so many at once, in milliseconds.
 */
export async function measureBatch(count, jobs) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timeOfRun(count, jobs));
  return { oursMs: median(times), idealMs: Math.ceil(count / jobs) * AGENT_SECONDS * 1000 };
}

async function timeOfRun(count, jobs) {
  const dir = mkdtempSync(join(tmpdir(), 'specloop-bench-'));
  const work = `cat > /dev/null; sleep ${AGENT_SECONDS}; echo done > "part-$SPECLOOP_TASK_INDEX.txt"; echo TASK_COMPLETE`;
  try {
    const cwd = join(dir, 'repository');
    makeRepository(cwd, batchText(count));
    const begin = performance.now();
    await implement({ cwd, cache: join(dir, 'cache') }, [
      '--jobs',
      String(jobs),
      '--review',
      'off',
      '--agent-command',
      JSON.stringify(['sh', '-c', work]),
    ]);
    return performance.now() - begin;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function batchText(count) {
  const tasks = Array.from(
    { length: count },
    (_, index) => `- [ ] 1.${index + 1} [P] Add part ${index + 1}
  - **Files**: \`part-${index}.txt\`
  - **Verify**: \`test -s part-${index}.txt\`
  - **Commit**: \`feat(work): add part ${index + 1}\`
`,
  );
  return `# Tasks: bench\n\n## Phase 1: Work\n\n${tasks.join('\n')}`;
}

async function implement({ cwd, cache }, options) {
  const env = { ...ENVIRONMENT, XDG_CACHE_HOME: cache };
  const child = spawn(process.execPath, [CLI, 'implement', SPEC, ...options], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The batch ended with ${code}.\n${said.slice(-2000)}`);
}
