import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installed, installPackage, ROOT } from './rig.ts';

/** What a user may write over each entry: `specloop/core` for a tool of their own, the scripted agent for their tests. */
const PROGRAM = `
import { openProject, UserError, type LiveStatus, type RunResult } from 'specloop';
import { parsePlan } from 'specloop/core';
import type { AgentScript } from 'specloop/testing';

export const script: AgentScript = { '1.1': [[{ write: { 'a.txt': 'a' } }, { print: 'TASK_COMPLETE' }]] };
export const titles = parsePlan('- [ ] 1.1 Add a file').tasks.map((task): string => task.title);
const spec = await (await openProject('/repository', { notify: (text) => console.log(text) })).spec('demo');
const run = spec.start({ trust: true });
for await (const { event } of run.events) console.log(event.type);
const ended: RunResult | UserError = await run.done.catch((error: UserError) => error);
const status: LiveStatus = await spec.status();
// @ts-expect-error: a folder is a path
await openProject(1).then(() => console.log(ended, status.done));
`;

/** A tool over the pure functions, for wherever there is JavaScript: neither a browser nor Node. */
const PURE_PROGRAM = `
import { evolve, fold, next, parsePlan, type Plan } from 'specloop/core';
export const plan: Plan = parsePlan('- [ ] 1.1 Add a file');
export const machine = { evolve, fold, next };
`;

let installed: Installed;

beforeAll(() => {
  installed = installPackage();
});
afterAll(() => installed?.remove());

test('the package holds the programs, the schemas, the plugin, and what npm always adds', () => {
  const folders = new Set(installed.files.map((path) => path.replace(/\/.*/, '/')));
  expect([...folders].sort()).toEqual([
    '.claude-plugin/',
    'LICENSE',
    'README.md',
    'dist/',
    'package.json',
    'plugin/',
    'schemas/',
  ]);
  for (const path of [
    'dist/cli.js',
    'dist/supervisor.js',
    'dist/scripted-agent.js',
    'dist/licenses.txt',
    'plugin/codex/hooks.json',
  ])
    expect(installed.files).toContain(path);
});

test('the package runs no script where it is installed', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const installing = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(Object.keys(scripts).filter((name) => installing.includes(name))).toEqual([]);
});

test('the links of the README lead somewhere on the page of the package, too', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)|^\[.+\]: (.+)$/gm)].map(
    ([, inText, below]) => inText ?? below ?? '',
  );
  const files = links.flatMap(
    (link) => /^https:\/\/github\.com\/specloop\/specloop\/blob\/main\/([^#]+)/.exec(link)?.[1] ?? [],
  );
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
});

test('the rules for published packages hold', async () => {
  const { messages } = await publint({ pkgDir: join(installed.project, 'node_modules/specloop'), pack: false });
  expect(messages).toEqual([]);
});

test('the installed command starts', () => {
  const help = execFileSync('npx', ['--offline', 'specloop', '--help'], { cwd: installed.project, encoding: 'utf8' });
  expect(help).toContain('Usage: specloop');
});

test('the installed command installs the plugin for each agent (R-SES-8)', () => {
  const env = { ...process.env, HOME: installed.project, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' };
  const args = ['--offline', 'specloop', 'plugin', 'install', '--claude', '--codex'];
  execFileSync('npx', args, { cwd: installed.project, env, encoding: 'utf8' });
  for (const path of ['.claude/skills/specloop/.claude-plugin/plugin.json', '.agents/skills/specloop/SKILL.md'])
    expect(existsSync(join(installed.project, path)), path).toBe(true);
});

test('each entry of the package loads, by import and by require', () => {
  const program = `
    import { createRequire } from 'node:module';
    import schema from 'specloop/schemas/events.schema.json' with { type: 'json' };
    const require = createRequire(import.meta.url);
    for (const name of ['specloop', 'specloop/core', 'specloop/testing'])
      if (Object.keys(await import(name)).join() !== Object.keys(require(name)).join()) throw new Error(name);
    require('fs-native-extensions');
    console.log(typeof schema);`;
  writeFileSync(join(installed.project, 'load.js'), program);
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', 'load.js'], {
    cwd: installed.project,
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'object\n', stderr: '' });
});

const AS_NODE_DOES = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
const AS_A_BUNDLER_DOES = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
const LANGUAGE = 'lib.es2023.d.ts';
/** Node's own declarations are not ours to check; what ours say is checked without them. */
const WITH_NODE = {
  lib: [LANGUAGE],
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  skipLibCheck: true,
};
const WITHOUT_NODE = { lib: [LANGUAGE, 'lib.dom.d.ts'], types: [] };

test.each([
  { place: "Node's types, resolved as Node does", options: { ...AS_NODE_DOES, ...WITH_NODE } },
  { place: "no types of Node's, resolved as Node does", options: { ...AS_NODE_DOES, ...WITHOUT_NODE } },
  { place: "no types of Node's, resolved as a bundler does", options: { ...AS_A_BUNDLER_DOES, ...WITHOUT_NODE } },
])('a program over the library type-checks with $place', ({ options }) => {
  expect(checkTypes(PROGRAM, options)).toBe('');
});

test('the program in the page of the library type-checks', () => {
  const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
  const program = /^```ts\n(.*?)^```/ms.exec(page)?.[1] ?? '';
  expect(program).toContain('openProject');
  expect(checkTypes(program, { ...AS_NODE_DOES, ...WITH_NODE })).toBe('');
});

test('a program over specloop/core type-checks where there is neither Node nor a browser', () => {
  expect(checkTypes(PURE_PROGRAM, { ...AS_NODE_DOES, lib: [LANGUAGE], types: [] })).toBe('');
});

/** What the compiler, in its strict settings, says against a program and against the declarations that it imports. */
function checkTypes(program: string, options: ts.CompilerOptions): string {
  const path = join(installed.project, 'program.ts');
  writeFileSync(path, program);
  const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipDefaultLibCheck: true };
  const checked = ts.createProgram([path], { target: ts.ScriptTarget.ES2023, ...strict, ...options });
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(checked), ts.createCompilerHost({}));
}
