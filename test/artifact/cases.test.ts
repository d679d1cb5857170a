import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  ARTIFACTS,
  type ArtifactName,
  type ArtifactText,
  readArtifact,
} from '../../src/core/artifact/artifact-text.ts';
import { checkSpec } from '../../src/core/artifact/check-spec.ts';
import { expand } from '../../src/core/artifact/expand.ts';
import { mentionsIn, readIds } from '../../src/core/artifact/ids.ts';
import { outlineOf } from '../../src/core/artifact/outline.ts';
import { priorityOf, readRequirements } from '../../src/core/artifact/requirements.ts';
import { parsePlan } from '../../src/core/plan/read/parse.ts';

type Told = readonly [artifact: string, line: number, code: string, message: string];

/** What the checks of the artifacts in a folder have to find; what is not there is not compared. */
interface Expected {
  readonly outline?: readonly object[];
  /** The ids that requirements define. */
  readonly defined?: readonly string[];
  /** The ids that lines of the requirements name, ranges expanded, by line. */
  readonly named?: Readonly<Record<string, readonly string[]>>;
  readonly requirements?: Readonly<Record<string, { readonly criteria: readonly string[]; readonly priority: string }>>;
  readonly around?: Readonly<Partial<Record<'existing' | 'ignored' | 'programs' | 'scripts', readonly string[]>>>;
  readonly bounds?: readonly string[];
  readonly problems?: readonly Told[];
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** The problems with these aliases. */
  readonly withAliases?: readonly Told[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

function artifactsOf(name: string): ReadonlyMap<ArtifactName, ArtifactText> {
  const there = ARTIFACTS.filter((artifact) => existsSync(join(folder, name, `${artifact}.md`)));
  return new Map(
    there.map((artifact) => {
      const file = `${artifact}.md`;
      return [artifact, readArtifact(artifact, file, readFileSync(join(folder, name, file), 'utf8'))];
    }),
  );
}

function problemsOf(
  name: string,
  { around = {}, bounds }: Expected,
  aliases: Expected['aliases'] = {},
): readonly Told[] {
  const artifacts = artifactsOf(name);
  const requirements = artifacts.get('requirements');
  const plan = artifacts.get('tasks');
  const problems = checkSpec({
    name,
    path: `specs/${name}`,
    artifacts,
    aliases,
    around: {
      existing: new Set(around.existing),
      ignored: new Set(around.ignored),
      programs: new Set(around.programs),
      ...(around.scripts && { scripts: new Set(around.scripts) }),
    },
    ...(requirements && { requirements: readRequirements(requirements) }),
    ...(plan && { plan: parsePlan(plan.text) }),
    ...(bounds && { bounds }),
  });
  return problems.map(({ artifact, line, code, message }) => [artifact, line, code, message]);
}

for (const name of names) {
  const expected: Expected = JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8'));
  const text = artifactsOf(name).get('requirements');

  describe(`the spec ${name}`, () => {
    test.runIf(expected.outline)('has the sections that a reader sees (R-PLAN-5)', () => {
      expect(outlineOf(text ?? { lines: [] }).map(({ title: _, ...section }) => section)).toEqual(expected.outline);
    });

    test.runIf(expected.defined)('defines and names the ids that a reader finds (R-PLAN-5)', () => {
      const requirements = readRequirements(text ?? readArtifact('requirements', '', ''));
      const { defined } = requirements;
      expect([...defined.values()].map(({ id, isRetired }) => (isRetired ? `${id} (retired)` : id))).toEqual(
        expected.defined,
      );
      for (const [line, ids] of Object.entries(expected.named ?? {})) {
        const mentions = requirements.mentions.filter((mention) => mention.line === Number(line));
        expect([line, mentions.flatMap((mention) => expand(mention, requirements.index).ids)]).toEqual([line, ids]);
      }
      for (const [id, { criteria, priority }] of Object.entries(expected.requirements ?? {})) {
        const found = defined.get(id);
        if (found === undefined) throw new Error(`${id} is not defined.`);
        expect([id, requirements.criteria.get(id), priorityOf(found)]).toEqual([id, criteria, priority]);
      }
    });

    test.runIf(expected.problems)('has the problems that a reader would name, in order (R-PLAN-5, R-SCOPE-1)', () => {
      expect(problemsOf(name, expected)).toEqual(expected.problems);
    });

    test.runIf(expected.withAliases)('has these problems with headings of its own in the settings (R-PLAN-5)', () => {
      expect(problemsOf(name, expected, expected.aliases)).toEqual(expected.withAliases);
    });
  });
}

test('an id ends where its number does, and a range at its last id (R-PLAN-5)', () => {
  const idsIn = (text: string) =>
    mentionsIn(text, 1).map(({ id, to, isAll }) => [id, to ?? (isAll ? '*' : '')].join(' ').trim());
  expect(idsIn('_FR-1_ **FR-02** (FR-3a) FR-8.1, NFR-2.')).toEqual(['FR-1', 'FR-2', 'FR-3a', 'FR-8.1', 'NFR-2']);
  expect(idsIn('AC-1.1–1.5, AC-2.1-AC-2.3, FR-1 to FR-4, FR-1...FR-3')).toEqual([
    'AC-1.1 AC-1.5',
    'AC-2.1 AC-2.3',
    'FR-1 FR-4',
    'FR-1 FR-3',
  ]);
  expect(idsIn('AC-1.*, FR-*')).toEqual(['AC-1 *', 'FR *']);
  expect(idsIn('FR-1 - 4 times, FR-2 to 4 people, XFR-3, E2E-FR-4, FR-EU, FR-1 to AC-2.1')).toEqual([
    'FR-1',
    'FR-2',
    'FR-1',
    'AC-2.1',
  ]);
});

test('a table that repeats ids with other columns, or a list of them, defines none (R-PLAN-5)', () => {
  const text =
    '| ID | Text |\n|--|--|\n| FR-1 | a |\n\n| ID | Test |\n|--|--|\n| FR-1 | b |\n\n- FR-1 and FR-2: both\n';
  const { repeated, defined } = readRequirements(readArtifact('requirements', 'r.md', text));
  expect([repeated, [...defined.keys()]]).toEqual([[], ['FR-1']]);
  expect(readIds(readArtifact('requirements', 'r.md', '- FR-1\n- FR-2: a\n')).leading).toHaveLength(1);
});
