import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Workshop, workshop } from '../cli/rig.ts';
import { codexSession } from './codex-session.ts';
import { CodexCoordinator, helperTask, isHelper, lastOutputs } from './codex-session-model.ts';
import { RESPONSES } from './model-protocols.ts';
import { type ModelRequest, type ModelServer, startModelServer, type Turn } from './model-server.ts';
import { codex, obstacleTo } from './real-agents.ts';

const obstacle = obstacleTo(codex);

const PLAN = ['[P] ', '[P] ', '']
  .map(
    (mark, at) =>
      `- [ ] 1.${at + 1} ${mark}Add ${at + 1}\n  - **Files**: 1.${at + 1}.txt\n  - **Verify**: \`test -f 1.${at + 1}.txt\`\n  - **Commit**: \`feat: add 1.${at + 1}\`\n`,
  )
  .join('');

describe.skipIf(obstacle !== undefined)(
  `the skill in the real Codex${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`,
  { timeout: 240_000 },
  () => {
    let shop: Workshop;
    let server: ModelServer | undefined;
    beforeEach(() => {
      shop = workshop();
      shop.write('specloop.config.json', '{ "review": "off" }');
      shop.write('specs/.current-spec', 'demo\n');
      shop.write('specs/demo/tasks.md', `# Tasks\n\n${PLAN}`);
      shop.git('add', '--all');
      shop.git('commit', '--quiet', '--message', 'plan');
    });
    afterEach(async () => {
      await server?.close();
      shop.remove();
    });

    /** Writes the file of its task with a command, and claims it. */
    const honest = (request: ModelRequest): Turn => {
      const { id, folder } = helperTask(request);
      if (lastOutputs(request).length > 0) return { text: 'Added it.\n\nTASK_COMPLETE' };
      return { uses: [codex.writes(join(folder, `${id}.txt`), id)] };
    };

    test('runs a batch and a task to the end, held by its Stop hook; the answers are those of the helpers themselves (R-SES-1, R-SES-2, R-SES-3, R-SES-5)', async () => {
      const coordinator = new CodexCoordinator('demo');
      let isStopped = false;
      const lazy = (request: ModelRequest): Turn => {
        if (isHelper(request)) return honest(request);
        if (isStopped || !lastOutputs(request).some((output) => output.includes('"verdict": "accepted"')))
          return coordinator.turn(request);
        isStopped = true;
        return { text: 'That much is done.' };
      };
      server = await startModelServer(lazy, RESPONSES);
      const { say } = await codexSession(shop, server.url);
      const { out, err } = await say('Use $specloop-implement for the spec demo, in this session.');
      const plan = readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8');
      expect(plan.match(/^- \[ \]/gm) ?? [], `${out.slice(-3000)}${err.slice(-1000)}`).toEqual([]);
      const subjects = shop.git('log', '--reverse', '--format=%s').trim().split('\n');
      expect(subjects.filter((subject) => subject.startsWith('feat'))).toEqual([
        'feat: add 1.1',
        'feat: add 1.2',
        'feat: add 1.3',
      ]);
      expect(isStopped).toBe(true);
      expect(JSON.stringify(server.requests.at(-1))).toContain('Continue spec: demo');
      expect(out).toContain('ALL_TASKS_COMPLETE');
      expect(shop.git('status', '--porcelain')).toBe('');
      expect(existsSync(join(shop.dir, '1.3.txt'))).toBe(true);
      expect(shop.run('status', 'demo', '--task', '1.3').stdout).toContain('came from the helper itself');
    });
  },
);
