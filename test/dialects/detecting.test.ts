import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { Flags } from '../../src/app/host.ts';
import { openProject } from '../../src/app/project.ts';
import { readPlanFile } from '../../src/app/spec/plan-file.ts';
import { UserError } from '../../src/core/user-error.ts';
import { removeRepositories, repositoryWith } from './rig.ts';

interface DetectCase {
  readonly files: Readonly<Record<string, string>>;
  readonly list?: readonly { readonly name: string; readonly path: string; readonly dialect: string }[];
  readonly byPath?: readonly { readonly path: string; readonly dialect: string }[];
  readonly refused?: readonly { readonly path: string; readonly names: readonly string[] }[];
  readonly ambiguous?: readonly { readonly name: string; readonly paths: readonly string[] }[];
  readonly forced?: readonly { readonly path: string; readonly dialect: string }[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const names = ['spec-kit', 'kiro', 'openspec', 'checklist'].flatMap((dialect) =>
  readdirSync(`${folder}/${dialect}`)
    .filter((file) => file.endsWith('.detect.json'))
    .map((file) => `${dialect}/${file}`),
);
afterEach(removeRepositories);

const hostIn = (cwd: string, flags?: Flags) => ({ cwd, env: process.env, notify: () => {}, ...(flags && { flags }) });

async function errorOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof UserError) return `${error.message} ${error.hint}`;
    throw error;
  }
  throw new Error('It was not refused.');
}

test.each(names)('the plans of %s are found, and their dialects named or refused (R-DIA-3)', async (name) => {
  const wanted: DetectCase = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
  const dir = repositoryWith(wanted.files);
  const project = await openProject(dir, { env: process.env });
  const found = (await project.specs()).map(({ name: spec, path, dialect }) => ({ name: spec, path, dialect }));
  const byPath = (one: { readonly path: string }, other: { readonly path: string }) => (one.path < other.path ? -1 : 1);
  if (wanted.list) expect([...found].sort(byPath)).toEqual([...wanted.list].sort(byPath));
  for (const { path, dialect } of wanted.byPath ?? [])
    expect((await readPlanFile(hostIn(dir), path)).plan.dialect, path).toBe(dialect);
  for (const { path, dialect } of wanted.forced ?? []) {
    const file = await readPlanFile(hostIn(dir, { dialect }), path);
    expect(file.plan.dialect).toBe(dialect);
    expect(file.isForced).toBe(true);
  }
  for (const { path, names: told } of wanted.refused ?? []) {
    const error = await errorOf(readPlanFile(hostIn(dir), path));
    for (const word of told) expect(error).toContain(word);
  }
  for (const { name: spec, paths } of wanted.ambiguous ?? []) {
    const error = await errorOf(project.spec(spec));
    for (const path of paths) expect(error).toContain(path);
  }
});

test('a folder whose name is none of a spec is listed with that problem, and a path to it works (R-FILE-1, R-DIA-3)', async () => {
  const dir = repositoryWith({ '.kiro/specs/My Feature/tasks.md': '- [ ] 1. Add the form\n' });
  const project = await openProject(dir, { env: process.env });
  expect(await project.specs()).toMatchObject([
    {
      name: 'My Feature',
      path: '.kiro/specs/My Feature',
      dialect: null,
      problem: expect.stringContaining('my-feature'),
    },
  ]);
  expect(await (await project.spec('.kiro/specs/My Feature')).status()).toMatchObject({ dialect: 'kiro', total: 1 });
});
