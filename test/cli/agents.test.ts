import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM, type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
let bin: string;
beforeEach(() => {
  shop = workshop();
  bin = join(shop.dir, '..', 'programs');
  mkdirSync(bin);
});
afterEach(() => shop.remove());

/** A program that answers to these arguments, and leaves a file if it is asked anything else. */
function program(name: string, answers: Readonly<Record<string, string>>): void {
  const cases = Object.entries(answers).map(([asked, script]) => `  "${asked}") ${script};;`);
  const text = ['#!/bin/sh', 'case "$*" in', ...cases, `  *) echo "$*" > ${bin}/started;;`, 'esac', ''].join('\n');
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
}

function run(...args: readonly string[]): Result {
  const options = { cwd: shop.dir, env: { ...shop.env, PATH: `${bin}:${shop.env.PATH}` }, encoding: 'utf8' } as const;
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
  return { code, stdout, stderr };
}

test('agents --json tells of each agent whether it is there, its version and its sign-in, and starts none (R-AGT-1)', () => {
  program('claude', {
    '--version': 'echo "2.1.332 (Claude Code)"',
    'auth status --json': `echo '{"loggedIn": true}'`,
    '--help': 'echo --dangerously-skip-permissions',
  });
  program('codex', { '--version': 'echo "codex-cli 0.171.0"', 'login status': 'exit 1', 'exec --help': 'echo' });
  program('goose', { '--version': 'echo 1.30.0' });
  program('worker', {});
  const settings =
    'agents: {mine: {command: worker}, gone: {command: no-such-program}, cheap: {agent: claude, env: {HOME: /x}}}\n';
  shop.write('specloop.config.yaml', settings);
  const { code, stdout, stderr } = run('agents', '--json');
  expect([code, stderr]).toEqual([0, '']);
  const listed = JSON.parse(stdout) as readonly { readonly name: string }[];
  const brief = listed.map((agent) => {
    const { name, found, version, signedIn } = agent as unknown as Record<string, unknown>;
    return [name, found, version, signedIn];
  });
  expect(brief).toEqual([
    ['claude', true, '2.1.332', 'yes'],
    ['codex', true, '0.171.0', 'no'],
    ['gemini', false, null, 'unknown'],
    ['opencode', false, null, 'unknown'],
    ['goose', true, '1.30.0', 'unknown'],
    ['mine', true, null, 'unknown'],
    ['gone', false, null, 'unknown'],
    ['cheap', true, '2.1.332', 'yes'],
  ]);
  expect(listed[0]).toMatchObject({ can: expect.arrayContaining(['budget', 'cost']), untested: ['tools'] });
  expect(listed[4]).toMatchObject({ untested: ['all'] });
  expect(existsSync(join(bin, 'started'))).toBe(false);
});

test('agents shows the same in lines, and a version that is older than any tested is asked nothing more (R-AGT-1)', () => {
  program('claude', { '--version': 'echo 1.0.3' });
  const { stdout } = run('agents');
  expect(stdout).toMatch(
    /^claude {4}1\.0\.3 {2}sign-in unknown {2}model, tokens, cost, budget, limits, denials, tools {2}untested: tools$/m,
  );
  expect(stdout).toMatch(/^codex {5}not found$/m);
  expect(existsSync(join(bin, 'started'))).toBe(false);
});

test('doctor tells of a chosen agent that lacks the option to work unattended, and of one that is not signed in (R-AGT-1)', () => {
  program('claude', {
    '--version': 'echo 2.1.332',
    'auth status --json': `echo '{"loggedIn":false}'`,
    '--help': 'echo no',
  });
  program('codex', {
    '--version': 'echo 0.171.0',
    'login status': 'exit 1',
    'exec --help': 'echo --dangerously-bypass-approvals-and-sandbox',
  });
  shop.write('specloop.config.yaml', 'agent: claude\n');
  const { code, stdout } = run('doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^FAIL {2}agent claude: 2\.1\.332 does not know the option --dangerously-skip-permissions\.$/m,
  );
  expect(stdout).toMatch(/^warn {2}agent codex: 0\.171\.0, not signed in\.$/m);
});

test('an agent that speaks ACP does a task, and its cost is estimated from the price of the settings (R-AGT-1, R-DEL-8)', () => {
  const usage = { inputTokens: 100_000, outputTokens: 20_000 };
  const steps = [
    { write: { 'a.txt': 'x' } },
    { update: { sessionUpdate: 'tool_call', toolCallId: 'call-1', title: 'Write' } },
    { print: 'Did it.\n\nTASK_COMPLETE\n' },
    { end: { result: { stopReason: 'end_turn', usage } } },
  ];
  const mine = {
    acp: [process.execPath, join(import.meta.dirname, '../agents/fake-acp.mjs')],
    env: { FAKE_ACP: JSON.stringify({ steps }) },
    price: { input: 3, output: 15 },
  };
  shop.write('specloop.config.json', JSON.stringify({ agents: { mine } }));
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'settings');
  const { code, stdout, stderr } = run('implement', 'demo', '--agent', 'mine', '--review', 'off', '--json');
  expect([code, stderr]).toEqual([0, expect.stringContaining('0.60 USD (estimated), 120.0k tokens')]);
  expect(stdout).toContain('"costUsd":0.6,"isCostEstimated":true');
});
