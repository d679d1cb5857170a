import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PROGRAM, type Workshop, workshop } from '../cli/rig.ts';
import { type ModelRequest, type ModelServer, startModelServer, type Turn } from './model-server.ts';
import { DRAFTED, ONE_TASK } from './one-draft.ts';
import { claudeProgram, claudeVariables } from './real-claude-program.ts';
import { coordinate, coordinator, isHelper, lastText, promptOf } from './session-model.ts';

const program = claudeProgram();
const obstacle = 'obstacle' in program ? program.obstacle : undefined;
const SESSION = '11111111-2222-4333-8444-555555555555';

/** The tasks of these ids, each of which adds the file of its id. */
function planOf(ids: readonly string[], mark = ''): string {
  const blocks = ids.map(
    (id) =>
      `- [ ] ${id} ${mark}Add ${id}\n  - **Files**: ${id}.txt\n  - **Verify**: \`test -f ${id}.txt\`\n  - **Commit**: \`feat: add ${id}\`\n`,
  );
  return `# Tasks\n\n${blocks.join('')}`;
}

describe.skipIf(obstacle !== undefined)(
  `the plugin in the real Claude Code${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`,
  { timeout: 180_000 },
  () => {
    let shop: Workshop;
    let server: ModelServer | undefined;
    let child: ChildProcess | undefined;
    beforeEach(() => {
      shop = workshop();
      shop.write('specloop.config.json', '{ "review": "off" }');
      shop.write('specs/.current-spec', 'demo\n');
      expect(shop.run('plugin', 'install', '--claude').code).toBe(0);
      const bin = join(shop.env.HOME ?? '', 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'specloop'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
      chmodSync(join(bin, 'specloop'), 0o755);
    });
    afterEach(async () => {
      if (child?.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await new Promise((exit) => child?.on('exit', exit));
      }
      await server?.close();
      server = undefined;
      shop.remove();
    });

    function plan(text: string): void {
      shop.write('specs/demo/tasks.md', text);
      shop.git('add', '--all');
      shop.git('commit', '--quiet', '--message', 'plan');
    }

    /** Starts a session with a model that answers each request so, and a first message. */
    async function begin(
      model: (request: ModelRequest) => Turn,
      message: string,
      session = SESSION,
    ): Promise<ChildProcess> {
      server = await startModelServer(model);
      const home = shop.env.HOME ?? '';
      const own = { ...shop.env, ...claudeVariables(home, server.url), GIT_CONFIG_NOSYSTEM: '1' };
      const PATH = [join(home, 'bin'), process.env.PATH].join(delimiter);
      const args = ['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'];
      child = spawn('path' in program ? program.path : '', [...args, '--session-id', session], {
        cwd: shop.dir,
        env: { ...own, PATH },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdin?.end(message);
      return child;
    }

    async function ended(child: ChildProcess): Promise<string> {
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null) throw new Error('no output');
      const [out, , code] = await Promise.all([
        text(stdout),
        text(stderr),
        new Promise((exit) => child.on('exit', exit)),
      ]);
      expect(code, out.slice(-2000)).toBe(0);
      return out;
    }

    const subjects = () => shop.git('log', '--reverse', '--format=%s').trim().split('\n');
    const open = () => readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8').match(/^- \[ \]/gm)?.length ?? 0;
    const status = () => JSON.parse(shop.run('status', '--json').stdout);

    const idOf = (request: ModelRequest) => `1.${Number(/task (\d+) for spec/.exec(promptOf(request))?.[1]) + 1}`;

    /** A helper that writes the file of its task with a tool, and claims it. */
    const honest = (request: ModelRequest): Turn => {
      const id = idOf(request);
      const folder = /Work in the folder (.+)\.$/m.exec(promptOf(request))?.[1] ?? shop.dir;
      if (lastText(request).includes('tool_result')) return { text: 'Added it.\n\nTASK_COMPLETE' };
      return { uses: [{ tool: 'Write', input: { file_path: join(folder, `${id}.txt`), content: id } }] };
    };
    const model = (helper: (request: ModelRequest) => Turn) => (request: ModelRequest) =>
      isHelper(request) ? helper(request) : coordinator(request);

    test('/specloop:implement runs three tasks to the end, each by a helper of its own (R-SES-1, R-SES-2, R-SES-8)', async () => {
      plan(planOf(['1.1', '1.2', '1.3']));
      const out = await ended(await begin(model(honest), '/specloop:implement demo'));
      expect(open(), out.slice(-3000)).toBe(0);
      expect(subjects().filter((subject) => subject.startsWith('feat'))).toEqual([
        'feat: add 1.1',
        'feat: add 1.2',
        'feat: add 1.3',
      ]);
      expect(out).toContain('ALL_TASKS_COMPLETE');
      expect(shop.git('status', '--porcelain')).toBe('');
    });

    test('/specloop:new has a draft written by a helper, sent back once, and shows the gate (R-SES-1, R-SES-8, R-GATE-1)', async () => {
      const path = join(shop.dir, 'specs/login/tasks.md');
      const author = (request: ModelRequest): Turn => {
        if (lastText(request).includes('tool_result')) return { text: DRAFTED };
        const isSecond = promptOf(request).includes('Attempt: 2');
        const command = `cat > ${path} <<'END'\n${isSecond ? ONE_TASK : '# Tasks\n'}END`;
        return { uses: [{ tool: 'Bash', input: { command, description: 'Writes the draft' } }] };
      };
      const planning = (request: ModelRequest): Turn =>
        isHelper(request) ? author(request) : coordinate(request, { spec: 'login', first: "new login 'Fix a typo'" });
      const out = await ended(await begin(planning, '/specloop:new login Fix a typo'));
      expect(out).toContain('rejected');
      expect(out).toContain('specs/login/tasks.md is ready and waits for your approval.');
      expect(subjects().at(-1)).toBe('spec(login): add implementation tasks');
      expect(JSON.parse(shop.run('status', 'login', '--json').stdout)).toMatchObject({ gate: 'tasks', session: null });
    });

    test('a batch runs to the end in one session, its helpers side by side (R-SES-1, R-PAR-1)', async () => {
      plan(planOf(['1.1', '1.2'], '[P] '));
      await ended(await begin(model(honest), '/specloop:implement demo'));
      expect(open()).toBe(0);
      const calls = server?.requests.filter((request) => !isHelper(request)) ?? [];
      expect(
        calls.some((request) => (JSON.stringify(request.messages).match(/"name":"Agent"/g)?.length ?? 0) === 2),
      ).toBe(true);
    });

    test('a helper that lies is rejected, and the next attempt learns why (R-SES-2, R-VER-5)', async () => {
      plan(planOf(['1.1']));
      let lied = false;
      const helper = (request: ModelRequest): Turn => {
        if (lied) return honest(request);
        lied = true;
        return { text: 'Added it.\n\nTASK_COMPLETE' };
      };
      const out = await ended(await begin(model(helper), '/specloop:implement demo'));
      expect(out).toContain('rejected');
      expect(subjects().filter((subject) => subject === 'feat: add 1.1')).toHaveLength(1);
      expect(status()).toMatchObject({ done: 1, total: 1 });
    });

    test('a session that stops too early is held by its Stop hook, and goes on (R-SES-5, R-SES-6)', async () => {
      plan(planOf(['1.1', '1.2']));
      let stopped = false;
      const lazy = (request: ModelRequest): Turn => {
        if (isHelper(request)) return honest(request);
        if (stopped || !lastText(request).includes('"verdict": "accepted"')) return coordinator(request);
        stopped = true;
        return { text: 'The first task is done.\n\nALL_TASKS_COMPLETE' };
      };
      const out = await ended(await begin(lazy, '/specloop:implement demo'));
      expect(stopped).toBe(true);
      expect(out).toContain('Continue spec: demo (2/2)');
      expect(open()).toBe(0);
    });

    test('/specloop:implement --headless starts a run in the background, and shows how it goes (R-SES-5, R-SES-8)', async () => {
      plan(planOf(['1.1', '1.2']));
      const script = join(shop.env.HOME ?? '', 'work.sh');
      writeFileSync(script, 'echo work > $SPECLOOP_TASK_ID.txt\necho TASK_COMPLETE\n');
      const bash = (command: string, more: object = {}): Turn => ({
        uses: [{ tool: 'Bash', input: { command, description: 'Calls specloop', ...more } }],
      });
      const headless = (request: ModelRequest): Turn => {
        const said = lastText(request);
        if (!said.includes('tool_result'))
          return bash(`specloop implement demo --agent-command "sh '${script}'"`, { run_in_background: true });
        return /"done": 2\b/.test(said) ? { text: 'The run has ended.' } : bash('sleep 1; specloop status demo --json');
      };
      const out = await ended(await begin(headless, '/specloop:implement demo --headless'));
      expect(out).not.toContain('Continue spec');
      expect(server?.requests[0] && promptOf(server.requests[0])).toContain('In this session');
      expect(subjects().filter((subject) => subject.startsWith('feat'))).toEqual(['feat: add 1.1', 'feat: add 1.2']);
    });

    test('another session in the folder is left alone while one drives the run (R-SES-4, R-SES-5)', async () => {
      plan(planOf(['1.1', '1.2']));
      expect(shop.run('next', '--session', SESSION, '--json').code).toBe(0);
      const other = '99999999-2222-4333-8444-555555555555';
      const out = await ended(await begin(() => ({ text: 'Hello.' }), 'Say hello.', other));
      expect(out).not.toContain('Continue spec');
      expect(server?.requests).toHaveLength(1);
    });

    test('begun in a session that is killed in a task, gone on headless, finished in a session (R-SES-4, R-ADV-6)', async () => {
      plan(planOf(['1.1', '1.2', '1.3']));
      const script = join(shop.env.HOME ?? '', 'hang.sh');
      writeFileSync(script, 'echo half > half.txt\nexec sleep 30\n');
      const hanging = (request: ModelRequest): Turn => {
        if (!isHelper(request)) return coordinator(request);
        if (idOf(request) === '1.1') return honest(request);
        return { uses: [{ tool: 'Bash', input: { command: `sh '${script}'`, description: 'Works' } }] };
      };
      const killed = await begin(hanging, '/specloop:implement demo');
      await vi.waitFor(() => expect(existsSync(join(shop.dir, 'half.txt'))).toBe(true), {
        timeout: 90_000,
        interval: 200,
      });
      killed.kill('SIGKILL');
      await new Promise((exit) => killed.on('exit', exit));
      await server?.close();
      const work = 'test $SPECLOOP_TASK_ID = 1.2 || sleep 100; echo 1.2 > 1.2.txt; echo TASK_COMPLETE';
      const headless = shop.start('implement', '--take-over', '--agent-command', `sh -c "${work}"`);
      await vi.waitFor(() => expect(subjects()).toContain('feat: add 1.2'), { timeout: 60_000, interval: 500 });
      headless.kill('SIGINT');
      await new Promise((exit) => headless.on('close', exit));
      expect(existsSync(join(shop.dir, 'half.txt'))).toBe(false);
      await ended(await begin(model(honest), '/specloop:implement demo', '99999999-2222-4333-8444-555555555555'));
      expect(subjects().filter((subject) => subject.startsWith('feat'))).toEqual([
        'feat: add 1.1',
        'feat: add 1.2',
        'feat: add 1.3',
      ]);
    });
  },
);
