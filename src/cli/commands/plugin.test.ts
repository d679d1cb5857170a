import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import packageFile from '../../../package.json' with { type: 'json' };
import { shippedPlugin } from '../../app/plugin/shipped.ts';
import { commands } from '../commands.ts';
import { type TestRepository, testRepository } from '../shared/test-rig.ts';

let repository: TestRepository;
let home: string;
beforeEach(() => {
  repository = testRepository();
  home = join(repository.dir, '../home');
  mkdirSync(home, { recursive: true });
});
afterEach(() => repository.remove());

const plugin = (...args: readonly string[]) => repository.run(['plugin', ...args]);

function put(path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** All files below a folder, with what is in them; empty folders end in a slash. */
function picture(dir: string): Readonly<Record<string, string>> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(dir, path), entry.isFile() ? readFileSync(path, 'utf8') : 'a folder'];
    }),
  );
}

test.each([
  ['--claude', 'Claude Code', '.claude/skills/specloop'],
  ['--codex', 'Codex', '.agents/skills'],
])(
  'plugin install %s puts it in once, status tells, uninstall leaves nothing (R-SES-8)',
  async (flag, name, folder) => {
    put('.claude/settings.json', '{}');
    put('.agents/mine.md', 'mine\n');
    put('.codex/config.toml', 'model = "mine"\n');
    const before = picture(home);
    expect((await plugin('status', flag)).stdout).toBe(`${name} (user): not installed.\n`);
    const first = await plugin('install', flag);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`installed version 0.1.0 in ${join(home, folder)}`),
    });
    const installed = picture(home);
    expect(installed).toMatchObject(before);
    expect((await plugin('install', flag)).stdout).toContain('is already installed');
    expect(picture(home)).toEqual(installed);
    expect((await plugin('status', flag)).stdout).toBe(`${name} (user): version 0.1.0 in ${join(home, folder)}.\n`);
    expect((await plugin('uninstall', flag)).code).toBe(0);
    expect(picture(home)).toEqual(before);
    expect((await plugin('uninstall', flag)).stdout).toContain('not installed');
  },
);

test('the version of the plugin is that of the package (R-SES-8)', () => {
  const manifest = join(import.meta.dirname, '../../../plugin/claude/.claude-plugin/plugin.json');
  expect(JSON.parse(readFileSync(manifest, 'utf8')).version).toBe(packageFile.version);
});

test('pages call commands that exist; those of planning go on alike, in a session (R-SES-8, R-PLAN-1)', () => {
  const pagesOf = (agent: 'claude' | 'codex') => [...shippedPlugin(agent).pages];
  const called = [...pagesOf('claude'), ...pagesOf('codex')].flatMap(([name, text]) =>
    [...text.matchAll(/`specloop ([a-z][a-z-]*)/g)].map(([, command]) => ({ name, command })),
  );
  const names = ['help', ...commands.map(({ name }) => name)];
  expect(called.filter(({ command = '' }) => !names.includes(command))).toEqual([]);
  const steps = pagesOf('claude').filter(([, text]) => text.includes('It prints one JSON object. While'));
  expect(steps.map(([name]) => name.replace(/^commands\/|\.md$/g, ''))).toEqual(
    ['new', 'start', 'research', 'requirements', 'design', 'tasks', 'reject'].sort(),
  );
  expect(new Set(steps.map(([, text]) => text.slice(text.indexOf('It prints one')))).size).toBe(1);
  for (const [, text] of steps)
    expect(text).toMatch(/--session \$\{CLAUDE_SESSION_ID\} --json`, with what the user gave/);
});

test('the plugin goes where the variables of its agent say (R-SES-8)', async () => {
  const env = { CLAUDE_CONFIG_DIR: join(home, 'c'), CODEX_HOME: join(home, 'x'), HOME: home };
  await repository.run(['plugin', 'install', '--claude', '--codex'], { env });
  expect(existsSync(join(home, 'c/skills/specloop/commands/implement.md'))).toBe(true);
  expect(existsSync(join(home, 'x/hooks.json'))).toBe(true);
  expect(existsSync(join(home, '.claude')) || existsSync(join(home, '.codex'))).toBe(false);
});

describe('a hooks file of the user (R-SES-8)', () => {
  const MINE = '{\n\t"hooks": { "Stop": [ {"hooks": [{"type": "command", "command": "mine"}]} ] }, "n": 1.0 }';

  test('is byte for byte as before after uninstall', async () => {
    const file = put('.codex/hooks.json', MINE);
    await plugin('install', '--codex');
    const { hooks } = JSON.parse(readFileSync(file, 'utf8'));
    expect(hooks.Stop).toHaveLength(2);
    await plugin('uninstall', '--codex');
    expect(readFileSync(file, 'utf8')).toBe(MINE);
  });

  test('keeps what the user changed in it meanwhile', async () => {
    const file = put('.codex/hooks.json', MINE);
    await plugin('install', '--codex');
    const changed = JSON.parse(readFileSync(file, 'utf8'));
    changed.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'new' }] });
    writeFileSync(file, JSON.stringify(changed));
    await plugin('uninstall', '--codex');
    const { hooks, n } = JSON.parse(readFileSync(file, 'utf8'));
    expect([n, hooks.Stop.map((group: { hooks: { command: string }[] }) => group.hooks[0]?.command)]).toEqual([
      1,
      ['new', 'mine'],
    ]);
    expect(JSON.stringify(hooks)).not.toContain('specloop');
  });

  test.each(['install', 'uninstall'])('that is broken is named, and %s changes nothing', async (action) => {
    if (action === 'uninstall') await plugin('install', '--codex');
    const file = put('.codex/hooks.json', '{ "hooks": ');
    const before = picture(home);
    const { code, stderr } = await plugin(action, '--codex');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}:1:12 is broken`)]);
    expect(picture(home)).toEqual(before);
  });

  test('gets hooks that were taken out of it again', async () => {
    await plugin('install', '--codex');
    const file = put('.codex/hooks.json', '{}');
    expect((await plugin('status', '--codex')).stdout).toContain('hooks.json is not as it was installed');
    await plugin('install', '--codex');
    expect(readFileSync(file, 'utf8')).toContain('specloop hook stop');
  });
});

describe('a page of the plugin (R-SES-8)', () => {
  const PAGE = '.claude/skills/specloop/commands/status.md';

  test('that the user changed is kept and named, by install, status and uninstall', async () => {
    await plugin('install', '--claude');
    appendFileSync(join(home, PAGE), 'mine\n');
    for (const action of ['install', 'uninstall']) {
      expect((await plugin(action, '--claude')).stdout).toContain(`Kept ${join(home, PAGE)}`);
      expect(readFileSync(join(home, PAGE), 'utf8')).toMatch(/mine\n$/);
    }
    expect(Object.keys(picture(home)).filter((path) => path.includes('specloop/'))).toEqual([dirname(PAGE), PAGE]);
  });

  test('that was there before the plugin is kept and named', async () => {
    put(PAGE, 'mine\n');
    expect((await plugin('install', '--claude')).stdout).toContain(`Kept ${join(home, PAGE)}`);
    await plugin('uninstall', '--claude');
    expect(readFileSync(join(home, PAGE), 'utf8')).toBe('mine\n');
  });

  test('of a newer version is kept and named, with the version', async () => {
    await plugin('install', '--claude');
    const record = join(home, '.claude/skills/specloop/.specloop-plugin.json');
    writeFileSync(record, readFileSync(record, 'utf8').replace('"version": "0.1.0"', '"version": "0.3.0"'));
    writeFileSync(join(home, PAGE), 'newer\n');
    expect((await plugin('install', '--claude')).stdout).toMatch(
      /version 0\.3\.0 is installed, which is newer[\s\S]*status\.md/,
    );
    expect(readFileSync(join(home, PAGE), 'utf8')).toBe('newer\n');
    expect((await plugin('status', '--claude')).stdout).toContain('This program has version 0.1.0.');
    const { stdout } = await repository.run(['doctor']);
    expect(stdout).toContain('Version 0.3.0 is installed, and this program has version 0.1.0.');
  });

  test('is removed only below the folder of the plugin, whatever the record names (R-SEC-1)', async () => {
    await plugin('install', '--claude', '--scope', 'project');
    const record = join(repository.dir, '.claude/skills/specloop/.specloop-plugin.json');
    repository.write('a.txt', '');
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    writeFileSync(
      record,
      readFileSync(record, 'utf8').replace('"files": {', `"files": { "../../../a.txt": "${empty}",`),
    );
    await plugin('uninstall', '--claude', '--scope', 'project');
    expect(existsSync(join(repository.dir, 'a.txt'))).toBe(true);
  });
});

describe('where it cannot write, plugin install says so and leaves nothing half done (R-SES-8)', () => {
  test('a link on the way', async () => {
    mkdirSync(join(home, 'elsewhere'));
    mkdirSync(join(home, '.claude'));
    symlinkSync(join(home, 'elsewhere'), join(home, '.claude/skills'));
    const { code, stderr } = await plugin('install', '--claude');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${join(home, '.claude/skills')}: it is a symbolic link`),
    ]);
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);
  });

  test('a file in the place of a folder', async () => {
    put('.codex', 'a file\n');
    const { code, stderr } = await plugin('install', '--codex');
    expect([code, stderr]).toEqual([2, expect.stringContaining('.codex')]);
    expect(Object.keys(picture(home))).toEqual(['.codex']);
  });

  test.skipIf(process.getuid?.() === 0)('a folder without permission', async () => {
    mkdirSync(join(home, '.codex'));
    chmodSync(join(home, '.codex'), 0o500);
    expect((await plugin('install', '--codex')).code).toBe(2);
    expect(Object.keys(picture(home))).toEqual(['.codex']);
  });
});

test('plugin and doctor tell that the older plugin is enabled too, and that the program is not found (R-SES-8)', async () => {
  put(
    '.claude/settings.json',
    JSON.stringify({ enabledPlugins: { 'ralph-specum@market': true, 'other@market': true } }),
  );
  const { stderr } = await plugin('install', '--claude');
  expect(stderr).toContain('The older plugin ralph-specum@market is enabled as well.');
  expect((await plugin('status', '--claude')).stderr).toContain('ralph-specum@market');
  expect((await repository.run(['doctor'])).stdout).toContain('ralph-specum@market');
  repository.write('.claude/settings.local.json', JSON.stringify({ enabledPlugins: { 'ralph-specum@market': false } }));
  expect((await plugin('status', '--claude')).stderr).not.toContain('ralph-specum@market');
});

test('doctor says nothing of plugins where there are none (R-SES-8)', async () => {
  expect((await repository.run(['doctor'])).stdout).not.toContain('plugin');
});

test.each([
  [['install'], 'No agent was named.'],
  [['remove', '--claude'], 'There is no action "remove".'],
  [['install', '--claude', '--scope', 'all'], '--scope cannot be "all".'],
])('plugin %j is refused (R-UX-4)', async (args, message) => {
  expect(await plugin(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('the hooks of the plugin are silent without the program, and end with 0 whatever it does (R-SES-8)', async () => {
  await plugin('install', '--claude');
  const { hooks } = JSON.parse(readFileSync(join(home, '.claude/skills/specloop/hooks/hooks.json'), 'utf8'));
  const commands: string[] = Object.values(hooks).flatMap((groups) =>
    (groups as { hooks: { command: string }[] }[]).flatMap((group) => group.hooks.map(({ command }) => command)),
  );
  expect(commands.map((command) => /specloop hook ([a-z-]+)/.exec(command)?.[1])).toEqual([
    'session-start',
    'stop',
    'subagent-stop',
  ]);
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const run = (command: string) => execFileSync('/bin/sh', ['-c', command], { env: { PATH: bin }, encoding: 'utf8' });
  expect(commands.map(run)).toEqual(['', '', '']);
  writeFileSync(join(bin, 'specloop'), '#!/bin/sh\necho "$2"\nexit 2\n', { mode: 0o755 });
  expect(commands.map(run)).toEqual(['session-start\n', 'stop\n', 'subagent-stop\n']);
  rmSync(bin, { recursive: true });
});
