import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { allCommands } from './program.ts';
import { runIn } from './shared/test-rig.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'program-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

test('a misspelt option is refused, with the one that was meant (R-UX-1)', async () => {
  expect(await runIn(dir, ['implement', 'demo', '--max-task-iteration', '3'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `Unknown option '--max-task-iteration'. Did you mean --max-task-iterations?\nHint: Run "specloop help implement" to see its options.\n`,
  });
});

test('a misspelt command is refused, with the one that was meant (R-UX-1)', async () => {
  expect(await runIn(dir, ['validte'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `Unknown command 'validte'. Did you mean validate?\nHint: Run "specloop help" to see its commands.\n`,
  });
});

test('no command at all shows what there is, and is refused', async () => {
  const { code, stdout, stderr } = await runIn(dir, []);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Usage: specloop[\s\S]*Hint: Name one of the commands above, as in "specloop status"\.\n$/);
});

test.each(['0', '-1', 'many', '1.5', ''])('--max-task-iterations=%s is refused by name (R-UX-1)', async (value) => {
  const { code, stderr } = await runIn(dir, [
    'implement',
    'demo',
    `--max-task-iterations=${value}`,
    '--agent-command',
    'true',
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^--max-task-iterations takes a whole number of at least 1, not /);
});

test.each(['', '-x', '../demo', 'De mo', '/etc'])('the name "%s" is refused by name (R-FILE-1)', async (name) => {
  const { code, stderr } = await runIn(dir, ['implement', '--agent-command', 'true', '--', name]);
  expect(code).toBe(2);
  expect(stderr).toContain(`Hint: `);
});

test('a folder that --cwd names has to be there', async () => {
  const { code, stderr } = await runIn(dir, ['tasks', 'x.md', '--cwd', 'nowhere']);
  expect([code, stderr]).toEqual([2, '--cwd is not a folder: "nowhere".\nHint: Name a folder that exists.\n']);
});

test('every command has help with its usage first and examples last (R-UX-1)', async () => {
  for (const { name } of commands) {
    const { code, stdout, stderr } = await runIn(dir, ['help', name]);
    expect([name, code, stderr]).toEqual([name, 0, '']);
    expect(stdout).toMatch(
      new RegExp(`^Usage: specloop ${name}[\\s\\S]*\n\nExamples:\n  specloop ${name}.*\n      .*\n`),
    );
  }
});

test('help lists every command, in its order (R-PLAN-1)', async () => {
  const { code, stdout } = await runIn(dir, ['help']);
  expect(code).toBe(0);
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  const known =
    'new start research requirements design approve reject implement pr tasks import validate coverage questions status logs answer prompt cancel next submit list index switch trust agents doctor hook plugin mcp init';
  expect(listed).toEqual([...known.split(' '), 'help']);
});

test('the same option means the same kind of value in every command, but for where a plugin is installed (R-SES-8)', async () => {
  const all = (await allCommands()).flatMap((command) => command.options);
  const options = all.filter(({ flag, placeholder }) => flag !== '--scope' || placeholder !== 'SCOPE');
  const shapes = new Set(options.map(({ flag, placeholder, repeats }) => JSON.stringify([flag, placeholder, repeats])));
  expect(shapes.size).toBe(new Set(options.map(({ flag }) => flag)).size);
});
