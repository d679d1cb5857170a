import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM, type Workshop, workshop } from './rig.ts';

/** The hooks of an agent's session, as its program calls them: the built program, with the event on stdin (R-SES-5). */
let place: Workshop;
beforeEach(() => {
  place = workshop();
  place.write('specs/.current-spec', 'demo\n');
  place.write('specs/demo/.ralph-state.json', STATE);
});
afterEach(() => place.remove());

const STATE = '{ "phase": "execution", "taskIndex": 0, "totalTasks": 1 }\n';

interface Block {
  readonly decision: string;
  readonly reason: string;
  readonly systemMessage: string;
}

function call(event: string, input: string | Buffer, env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: '/', env: { ...place.env, ...env }, input, timeout: 30_000, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'hook', event], options);
  expect([status, /\n\s+at /.test(stderr)], stderr).toEqual([0, false]);
  return { stdout, stderr };
}

const inputOf = (more: object = {}) => JSON.stringify({ session_id: 'a', cwd: place.dir, ...more });

function stop(more: object = {}, env: Readonly<Record<string, string>> = {}): Block | undefined {
  const { stdout } = call('stop', inputOf(more), env);
  return stdout === '' ? undefined : (JSON.parse(stdout) as Block);
}

interface Given {
  readonly delegations: readonly { readonly token: string; readonly prompt: string }[];
}

function next(session: string, ...options: readonly string[]): Given['delegations'][number] {
  const { stdout, stderr } = place.run('next', 'demo', '--session', session, '--json', ...options);
  const [given] = (JSON.parse(stdout || '{}') as Partial<Given>).delegations ?? [];
  if (given === undefined) throw new Error(stdout + stderr);
  return given;
}

test('a session with open tasks goes on: it gets the task and the call, and nothing in the tree is written (R-SES-5)', () => {
  const before = place.git('status', '--porcelain', '--untracked-files=all');
  const block = stop();
  expect(block?.decision).toBe('block');
  expect(block?.reason).toMatch(/^Continue spec: demo \(1\/1\)\n/);
  expect(block?.reason).toContain('- [ ] 1.1 Add the file\n');
  expect(block?.reason).toContain('Run: specloop next demo --session a --json\n');
  expect(place.git('status', '--porcelain', '--untracked-files=all')).toBe(before);
  expect(stop({ stop_hook_active: true })).toBeUndefined();
});

test('an agent that a run started gets no text: it has its task, and ends when it is done (R-SES-5, R-SES-7)', () => {
  const ofAgent = { SPECLOOP_TASK_ID: '1.1' };
  expect([stop({}, ofAgent), call('session-start', inputOf(), ofAgent).stdout]).toEqual([undefined, '']);
  expect([stop()?.decision, call('session-start', inputOf()).stdout]).toEqual([
    'block',
    expect.stringContaining('demo'),
  ]);
});

test('from a folder below, the nearest active spec upward is meant, and the call says where (R-SES-5)', () => {
  place.write('packages/one/a.txt', '');
  const cwd = join(place.dir, 'packages/one');
  expect(stop({ cwd })?.reason).toContain(`--json --cwd ${place.dir}\n`);
  place.write('packages/specs/.current-spec', 'inner\n');
  place.write('packages/specs/inner/.ralph-state.json', STATE);
  place.write('packages/specs/inner/tasks.md', '- [ ] 1.1 Inner\n');
  expect(stop({ cwd, session_id: 'b' })?.reason).toMatch(/^Continue spec: inner /);
  expect(stop({ cwd: '/' })).toBeUndefined();
});

test('where there is no repository, the folder itself stands for the root: nothing above it is looked at (R-SES-5, R-SES-7)', () => {
  const folder = join(place.dir, '..', 'plain');
  const below = join(folder, 'below');
  const spec = join(folder, 'specs/demo');
  mkdirSync(spec, { recursive: true });
  mkdirSync(below);
  writeFileSync(join(folder, 'specs/.current-spec'), 'demo\n');
  writeFileSync(join(spec, '.ralph-state.json'), STATE);
  writeFileSync(join(spec, 'tasks.md'), '- [ ] 1.1 Only\n');
  const block = stop({ cwd: folder });
  expect(block?.reason).toMatch(/^Continue spec: demo \(1\/1\)\n/);
  expect(block?.reason).toContain('There is no git repository here');
  expect(call('session-start', inputOf({ cwd: folder })).stdout).toContain('There is no git repository here');
  expect(stop({ cwd: below })).toBeUndefined();
  expect(stop({ cwd: folder, stop_hook_active: true })).toBeUndefined();
  expect(stop({ cwd: folder, session_id: 'b' })).toBeUndefined();
  writeFileSync(join(spec, '.ralph-state.json'), STATE.replace('"taskIndex": 0', '"taskIndex": 1'));
  expect(stop({ cwd: folder, stop_hook_active: true })?.decision).toBe('block');
  expect([readdirSync(folder), readdirSync(spec)]).toEqual([
    ['below', 'specs'],
    ['.ralph-state.json', 'tasks.md'],
  ]);
  expect(stop({ cwd: folder, session_id: 'c' }, { HOME: '/dev/null' })?.decision).toBe('block');
});

test('what is in the way of reading keeps no session: links, pipes, folders, a huge transcript (R-SES-5)', () => {
  const big = join(place.dir, '..', 'big');
  writeFileSync(big, '');
  truncateSync(big, 5 * 2 ** 30);
  expect(stop({ transcript_path: big })?.decision).toBe('block');
  for (const file of ['specs/demo/.ralph-state.json', 'specs/.current-spec']) {
    const path = join(place.dir, file);
    const content = readFileSync(path);
    rmSync(path);
    spawnSync('mkfifo', [path]);
    expect(stop(), file).toBeUndefined();
    rmSync(path);
    mkdirSync(path);
    expect(stop(), file).toBeUndefined();
    rmSync(path, { recursive: true });
    writeFileSync(path, content);
  }
  expect(stop()?.decision).toBe('block');
});

test('whatever comes in, the hooks end with 0 (R-SES-5, R-SES-7)', () => {
  const bad = ['', '[]', '{"cwd":5}', `{"cwd":"${place.dir}`, Buffer.from([0xff, 0, 1]), Buffer.alloc(8 << 20, 0x5b)];
  for (const event of ['stop', 'session-start', 'subagent-stop'])
    for (const input of bad) expect(call(event, input).stdout, `${event} ${String(input).slice(0, 20)}`).toBe('');
});

test('an input that does not end is not waited for (R-SES-5)', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'hook', 'stop'], { cwd: '/', env: place.env });
  child.stdin.write(inputOf());
  const stdout = await text(child.stdout);
  child.stdin.destroy();
  expect(stdout).toContain('Continue spec: demo');
});

test('the hook needs no other program (R-SES-5)', () => {
  const only = join(place.dir, '..', 'only');
  mkdirSync(only);
  symlinkSync(process.execPath, join(only, 'node'));
  expect(stop({}, { PATH: only })?.decision).toBe('block');
});

test('a memory that cannot be written keeps no answer back (R-SES-5)', () => {
  place.write('.git/.specloop/specs', 'a file in the place of the folder');
  expect(stop()?.decision).toBe('block');
  expect(stop({ stop_hook_active: true })).toBeUndefined();
});

test('what cannot be remembered is reported once at each end of a session, not again and again (R-SES-5)', () => {
  place.write('.git/.specloop/specs', 'a file in the place of the folder');
  place.write('specs/demo/.ralph-state.json', '{');
  expect(stop()?.reason).toContain('cannot be read');
  expect(stop({ stop_hook_active: true })).toBeUndefined();
});

test('a state is left to the older plugin where that is enabled, until there is a run (R-SES-5, R-SES-8)', () => {
  place.write('.claude/settings.json', '{ "enabledPlugins": { "ralph-specum@market": true } }');
  expect(stop()).toBeUndefined();
  expect(call('session-start', inputOf()).stdout).toBe('');
  place.git('add', '.claude');
  place.git('commit', '--quiet', '--message', 'settings');
  next('a');
  expect(stop()?.decision).toBe('block');
});

test('a run belongs to the session that drives it, and its verdicts are what advances (R-SES-5, R-SES-4)', () => {
  const { token } = next('a');
  expect(stop({ session_id: 'b' })).toBeUndefined();
  expect(stop()?.decision).toBe('block');
  next('a');
  expect(stop({ stop_hook_active: true })).toBeUndefined();
  const answer = join(place.dir, '..', 'answer');
  writeFileSync(answer, 'no\n');
  expect(place.run('submit', '--token', token, '--file', answer).code).toBe(0);
  expect(stop({ stop_hook_active: true })?.decision).toBe('block');
});

test('the state file of a run has the fields that the hook of the older plugin reads (R-SES-5, R-FILE-4)', () => {
  next('a');
  const state: unknown = JSON.parse(readFileSync(join(place.dir, 'specs/demo/.ralph-state.json'), 'utf8'));
  expect(state).toMatchObject({ phase: 'execution', taskIndex: 0, totalTasks: 1, taskIteration: 1 });
  const limits = ['maxTaskIterations', 'globalIteration', 'maxGlobalIterations'];
  for (const name of limits) expect(state, name).toHaveProperty(name, expect.any(Number));
});

test('a session that begins gets the active spec, its progress and the call with its own id (R-SES-7)', () => {
  const { stdout } = call('session-start', inputOf({ session_id: 'mine' }));
  expect(stdout).toContain('The active spec is demo: 0 of 1 task done, phase execution.');
  expect(stdout).toContain('specloop next demo --session mine --json');
  place.write('.claude/specloop.local.md', '---\nenabled: false\n---\n');
  expect(call('session-start', inputOf()).stdout).toBe('');
});

test('an active spec without a state file is named when a session begins, and keeps none from ending (R-SES-5, R-SES-7)', () => {
  rmSync(join(place.dir, 'specs/demo/.ralph-state.json'));
  const { stdout } = call('session-start', inputOf({ session_id: 'mine' }));
  expect(stdout).toContain('The active spec is demo: 0 of 1 task done.\n');
  expect(stdout).toContain('specloop next demo --session mine --json\n');
  expect(stop()).toBeUndefined();
});

test('the final answer of a helper is its own, by the token in its prompt, and comes before what is relayed (R-SES-3)', () => {
  const { token, prompt } = next('a', '--review', 'off');
  const transcript = join(place.dir, '..', 'helper.jsonl');
  writeFileSync(transcript, `${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`);
  const says = (last_assistant_message: string) =>
    call('subagent-stop', inputOf({ agent_transcript_path: transcript, last_assistant_message }));
  const answers = () =>
    readdirSync(join(place.dir, '.git/.specloop'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith(join(token, 'answer.json')),
    );
  says('I wait for the tests.');
  expect(answers()).toEqual([]);
  place.write('a.txt', 'a\n');
  says('Done.\n\nTASK_COMPLETE');
  const [file = ''] = answers();
  expect(JSON.parse(readFileSync(join(place.dir, '.git/.specloop', file), 'utf8'))).toMatchObject({ by: 'helper' });
  const relayed = join(place.dir, '..', 'relayed');
  writeFileSync(relayed, 'TASK_FAILED\n');
  expect(JSON.parse(place.run('submit', '--token', token, '--file', relayed).stdout)).toMatchObject({
    verdict: 'accepted',
  });
  expect(place.run('status', 'demo', '--task', '1.1').stdout).toContain('came from the helper itself');
});

test('the final answer of a helper is kept when the session works in a folder below, unless hooks are switched off (R-SES-3, R-SES-5)', () => {
  place.write('packages/one/note.txt', '');
  place.git('add', '--all');
  place.git('commit', '--quiet', '--message', 'packages');
  const { token } = next('a', '--review', 'off');
  const cwd = join(place.dir, 'packages/one');
  const keeps = () => {
    call('subagent-stop', inputOf({ cwd, last_assistant_message: `TASK_COMPLETE\n\nspecloop token: ${token}\n` }));
    const files = readdirSync(join(place.dir, '.git/.specloop'), { recursive: true, encoding: 'utf8' });
    return files.some((path) => path.endsWith(join(token, 'answer.json')));
  };
  place.write('.claude/specloop.local.md', '---\nenabled: false\n---\n');
  expect(keeps()).toBe(false);
  rmSync(join(place.dir, '.claude'), { recursive: true });
  expect(keeps()).toBe(true);
});
