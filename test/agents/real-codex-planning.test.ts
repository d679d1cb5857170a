import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unplannedWorkshop } from '../cli/planning-rig.ts';
import type { Workshop } from '../cli/rig.ts';
import { codexSession } from './codex-session.ts';
import { CodexCoordinator, helperTask, isHelper, lastOutputs } from './codex-session-model.ts';
import { RESPONSES } from './model-protocols.ts';
import { type ModelRequest, type ModelServer, startModelServer, type Turn } from './model-server.ts';
import { DRAFTED, ONE_TASK } from './one-draft.ts';
import { codex, obstacleTo } from './real-agents.ts';

const obstacle = obstacleTo(codex);

describe.skipIf(obstacle !== undefined)(
  `the skill for planning in the real Codex${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`,
  { timeout: 240_000 },
  () => {
    let shop: Workshop;
    let server: ModelServer | undefined;
    beforeEach(() => {
      shop = unplannedWorkshop();
      shop.write('specloop.config.json', '{ "review": "off" }');
      shop.git('add', '--all');
      shop.git('commit', '--quiet', '--message', 'no reviews');
    });
    afterEach(async () => {
      await server?.close();
      shop.remove();
    });

    /** Writes the plan with a command, at first one without a task; then does the task. */
    const helper = (request: ModelRequest): Turn => {
      const told = JSON.stringify(request);
      const isPlanner = told.includes('Write tasks.md for spec login');
      if (lastOutputs(request).length > 0) return { text: isPlanner ? DRAFTED : 'Corrected it.\n\nTASK_COMPLETE' };
      const { folder } = helperTask(request);
      if (!isPlanner) return { uses: [codex.writes(join(folder, 'README.md'), 'right')] };
      const draft = told.includes('What went wrong last time') ? ONE_TASK : '# Tasks\n\nLater.\n';
      return { uses: [codex.writes(join(folder, 'specs/login/tasks.md'), draft)] };
    };

    test('drafts a document by its helper up to the gate, and goes on to the end once the user approves (R-SES-1, R-SES-4, R-GATE-1)', async () => {
      let coordinator = new CodexCoordinator('login', "new login 'Fix a typo'");
      server = await startModelServer(
        (request) => (isHelper(request) ? helper(request) : coordinator.turn(request)),
        RESPONSES,
      );
      const { say } = await codexSession(shop, server.url);
      const made = await say('Use $specloop-plan to make the spec login: Fix a typo');
      const about = `${made.out.slice(-3000)}${made.err.slice(-1000)}`;
      expect(JSON.stringify(server.requests[0]), about).toContain('Plan a spec with the program `specloop`');
      expect(made.out, about).toContain('specs/login/tasks.md is ready and waits for your approval');
      expect(made.out).toContain('specloop approve login');
      expect(shop.git('log', '-1', '--format=%s').trim()).toBe('spec(login): add implementation tasks');
      expect(shop.git('show', 'HEAD:specs/login/tasks.md')).toBe(ONE_TASK);
      expect(shop.git('status', '--porcelain')).toBe('');
      expect(JSON.parse(shop.run('status', 'login', '--json').stdout)).toMatchObject({
        gate: 'tasks',
        spent: { attempts: 2 },
      });

      coordinator = new CodexCoordinator('login', 'approve login && specloop start login');
      const { out } = await say('I approve the tasks. Use $specloop-plan to go on.');
      expect(out, out.slice(-3000)).toContain('ALL_TASKS_COMPLETE');
      const subjects = shop.git('log', '--format=%s').split('\n');
      expect(subjects).toEqual(expect.arrayContaining(['spec(login): approve tasks', 'docs: correct a word']));
    });
  },
);
