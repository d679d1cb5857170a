import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cliReference, configReference, configSchema, problemReference } from '../scripts/reference.ts';
import { allCommands, commonOptions } from '../src/cli/program.ts';
import { namesAt } from '../src/config/setting.ts';
import { PLAN_PROBLEM_KINDS } from '../src/core/artifact/problem-kinds.ts';

/** `vitest run test/reference.test.ts --update` writes them anew. */
const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

test('the reference of the commands is what the commands say of themselves', async () => {
  await expect(cliReference(await allCommands(), commonOptions)).toMatchFileSnapshot(file('docs/reference/cli.md'));
});

test('the reference of the settings is what their schema says', async () => {
  await expect(configReference()).toMatchFileSnapshot(file('docs/reference/config.md'));
});

test('the reference of the problems is what their table says (R-PLAN-5)', async () => {
  await expect(problemReference()).toMatchFileSnapshot(file('docs/reference/problems.md'));
});

test('the table of problems knows each code of the reader of plans, and no other (R-PLAN-5)', () => {
  const ofPlan = readdirSync(file('src/core/plan'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `src/core/plan/${name}`,
  );
  const used = [...ofPlan, 'src/app/validate/syntax-problems.ts', 'src/app/validate/validate-spec.ts']
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => [
      ...readFileSync(file(path), 'utf8').matchAll(
        /code: '([a-z-]+)'|warn\(task, '([a-z-]+)'|'(verify-(?:cannot-fail|exit-code-lost))'/g,
      ),
    ])
    .map(([, ...codes]) => codes.find((code) => code !== undefined));
  expect([...new Set(used)].sort()).toEqual(Object.keys(PLAN_PROBLEM_KINDS).sort());
});

test('the published schema of the settings is the one that is used', async () => {
  await expect(configSchema()).toMatchFileSnapshot(file('schemas/config.schema.json'));
});

test('the published schema knows every setting, and refuses what is none', () => {
  const schema = JSON.parse(configSchema());
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties)).toEqual(['$schema', ...namesAt([])]);
});

test('the page about events names each type of the published schema, and no other', () => {
  const schema = JSON.parse(readFileSync(file('schemas/events.schema.json'), 'utf8'));
  const types = schema.$defs.Event.oneOf.map(
    (event: { properties: { type: { const: string } } }) => event.properties.type.const,
  );
  const [, table = ''] = readFileSync(file('docs/events.md'), 'utf8').split('## The types');
  const named = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, type]) => type);
  expect(types.length).toBeGreaterThan(0);
  expect([...named].sort()).toEqual([...types].sort());
});
