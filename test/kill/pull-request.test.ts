import { beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import type { Scenario } from '../../scripts/github/github.mjs';
import type { AgentScript, ScriptStep } from '../../src/testing/scripted-agent.ts';
import { DONE, GREEN, type Hub, hub, RED } from '../cli/pull-request-rig.ts';
import { NO_GH } from '../github/rig.ts';
import { chance } from './chance.ts';
import { type Kill, killsOf, killText } from './kills.ts';
import { die } from './life.ts';
import { processesOf } from './processes.ts';

const seed = Number(process.env.SPECLOOP_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Of ten kills in the other scenarios, three more are for the pull request. */
const killsInAll = Math.ceil(Number(process.env.SPECLOOP_KILLS ?? 6) * 0.3);

const WORK: ScriptStep = { sleepMs: 40 };
const writes = (text: string): readonly ScriptStep[] => [WORK, { write: { 'a.txt': text } }, WORK, DONE];

const script: AgentScript = {
  '1.1': [writes('right\n')],
  '2.3': [writes('right, fixed\n')],
  '2.4': [writes('right, fixed, sorted\n')],
};

/** CI is red once; then Ada has a wish. */
const scenario: Scenario = {
  people: { ada: { permission: 'write' } },
  checks: GREEN,
  pendingLooks: 1,
  steps: [
    { afterPush: 1, checks: RED },
    { afterPush: 2, threads: { wish: { by: 'ada', body: 'Sort it, please.' } } },
  ],
};

/** What must be the same whether a run was killed or not: one pull request, one reply, each task done and recorded once. */
function outcome({ git, plan, model, replies, headOf, dir }: Hub): object {
  return {
    tasks: plan().match(/^- \[.\] .*$/gm),
    commits: git('log', '--reverse', '--format=%s', 'main..feat/demo').trim().split('\n'),
    files: git('show', 'feat/demo:a.txt'),
    uncommitted: git('status', '--porcelain'),
    pulls: model.pulls.map(({ number, state, title }) => ({ number, state, title })),
    replies: replies().map((reply) => reply.replace(/\b[0-9a-f]{8}\b/, '<commit>')),
    isPushed: headOf() === git('rev-parse', 'feat/demo').trim(),
    running: processesOf(dir),
  };
}

let undisturbed: { readonly tookMs: number; readonly outcome: object } | undefined;

beforeAll(async () => {
  if (NO_GH !== undefined) return;
  const shop = await hub(scenario, { script });
  const begun = performance.now();
  const { code, stderr } = await shop.implement();
  expect(code, stderr).toBe(0);
  undisturbed = { tookMs: performance.now() - begun, outcome: outcome(shop) };
  await shop.close();
}, 300_000);

const ordeals = ordealsOf(killsInAll).map((kills, number) => {
  const title = `ordeal ${number} of seed ${seed}: ${kills.map(killText).join(', ')}`;
  return [title, kills] as const;
});

function ordealsOf(count: number): readonly (readonly Kill[])[] {
  const made: (readonly Kill[])[] = [];
  for (let left = count; left > 0; left -= made.at(-1)?.length ?? left)
    made.push(killsOf(chance(seed + made.length * 104_729)).slice(0, left));
  return made;
}

describe.skipIf(NO_GH)(
  'a pull request whose run is killed ends as if it had not been (R-PR-5, R-PR-12, R-ADV-2)',
  () => {
    test.each(ordeals)('%s', { timeout: 300_000 }, async (_, kills) => {
      const shop = await hub(scenario, { script });
      onTestFailed(() => {
        const variables = `SPECLOOP_KILLS=${process.env.SPECLOOP_KILLS ?? 6} SPECLOOP_KILL_SEED=${seed}`;
        process.stderr.write(`Again: ${variables} npx vitest run test/kill/pull-request.test.ts\n`);
      });
      const stage = {
        dir: shop.dir,
        argv: ['implement', 'demo', ...shop.agent],
        start: (...args: readonly string[]) => shop.start(args),
      };
      for (const kill of kills) await die(stage, kill, undisturbed?.tookMs ?? 0);
      const { lastRun } = JSON.parse((await shop.call(['status', 'demo', '--json'])).stdout);
      const { code, stdout, stderr } = await shop.implement();
      expect(code, stderr).toBe(0);
      // Where the run was over before it was killed, nothing is left to do, and the pull request is not looked at again.
      const address = lastRun?.result === 'completed' ? '' : 'https://github.com/acme/app/pull/1\n';
      expect(stdout).toBe(`ALL_TASKS_COMPLETE\n${address}`);
      expect(outcome(shop)).toEqual(undisturbed?.outcome);
      await shop.close();
    });
  },
);
