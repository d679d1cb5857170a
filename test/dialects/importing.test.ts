import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { importList } from '../../src/app/spec/import-list.ts';
import { parsePlan } from '../../src/core/plan/read/parse.ts';
import { UserError } from '../../src/core/user-error.ts';
import { removeRepositories, repositoryWith } from './rig.ts';

interface ImportCase {
  readonly as: string;
  readonly source: string;
  readonly args: readonly string[];
  readonly existing?: Readonly<Record<string, string>>;
  readonly spec: string;
  readonly files?: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly why: string }[];
  readonly dropped: readonly string[];
  readonly expected: {
    readonly tasks: readonly Readonly<Record<string, unknown>>[];
    readonly groups?: readonly { readonly id: string; readonly title: string; readonly children: readonly string[] }[];
  };
  readonly refused?: true;
  readonly names?: readonly string[];
}

const folder = fileURLToPath(new URL('import', import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.import.json'))
  .map((file) => file.replace('.import.json', ''));
afterEach(removeRepositories);

const option = (args: readonly string[], flag: string) =>
  args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
const sorted = <T>(list: readonly T[]) => [...list].map((item) => JSON.stringify(item)).sort();

test.each(names)('the list %s is imported whole, or refused without a change (R-DIA-7)', async (name) => {
  const wanted: ImportCase = JSON.parse(readFileSync(`${folder}/${name}.import.json`, 'utf8'));
  const input = [`${name}.input.md`, `${name}.input.json`].find((file) => existsSync(`${folder}/${file}`)) ?? '';
  const dir = repositoryWith({ ...wanted.existing, [wanted.as]: readFileSync(`${folder}/${input}`, 'utf8') });
  const before = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
  const host = { cwd: dir, env: process.env, notify: () => {} };
  const order = { file: wanted.as, to: option(wanted.args, '--to'), tag: option(wanted.args, '--tag') };
  if (wanted.refused) {
    const error = await importList(host, order).catch((fault: unknown) => fault);
    if (!(error instanceof UserError)) throw error;
    for (const word of wanted.names ?? []) expect(`${error.message} ${error.hint}`).toContain(word);
    expect(readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()).toEqual(before);
    return;
  }
  const imported = await importList(host, order);
  expect(imported).toMatchObject({ spec: wanted.spec, path: `specs/${wanted.spec}`, source: wanted.source });
  expect(sorted(imported.skipped)).toEqual(sorted(wanted.skipped));
  expect(sorted(imported.dropped)).toEqual(sorted(wanted.dropped));
  for (const file of wanted.files ?? []) expect(existsSync(join(dir, 'specs', wanted.spec, file)), file).toBe(true);
  const plan = parsePlan(readFileSync(join(dir, 'specs', wanted.spec, 'tasks.md'), 'utf8'));
  expect(plan.tasks.map(({ id }) => id)).toEqual(wanted.expected.tasks.map(({ id }) => id));
  for (const [at, want] of wanted.expected.tasks.entries()) {
    const task = plan.tasks[at];
    const got: Record<string, unknown> = { ...task, dependsOn: [...(task?.dependsOn ?? [])].sort() };
    const all: Record<string, unknown> = { ...want };
    if (Array.isArray(want.dependsOn)) all.dependsOn = [...want.dependsOn].sort();
    expect(Object.fromEntries(Object.keys(all).map((key) => [key, got[key]]))).toEqual(all);
  }
  if (wanted.expected.groups)
    expect(
      plan.groups.map(({ id, title, children }) => ({
        id,
        title,
        children: children.map((child) => plan.tasks[child]?.id),
      })),
    ).toEqual(wanted.expected.groups);
  await expect(importList(host, { ...order, to: wanted.spec })).rejects.toThrow('already');
});
