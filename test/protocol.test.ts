import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROTOCOL = 'docs/protocol.md';
const SELF = relative(ROOT, fileURLToPath(import.meta.url));
const READ = /\.(ts|mts|mjs|md|json)$/;

const RULE = /\bR-[A-Z]+-\d+\b/g;
const INVARIANT = /\bI\d+\b/g;
const DEFINITION = /^- \*\*(R-[A-Z]+-\d+|I\d+)\*\* /gm;

interface Page {
  readonly path: string;
  readonly text: string;
}

function pagesIn(folder: string): readonly Page[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && READ.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  return paths.map(page).filter(({ path }) => path !== SELF);
}

function page(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

function definedIn(text: string): readonly string[] {
  return [...text.matchAll(DEFINITION)].map(([, id = '']) => id);
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

/** Where an id is cited that the protocol does not define. */
function undefinedIn(pages: readonly Page[], form: RegExp, defined: readonly string[]): readonly string[] {
  return pages.flatMap(({ path, text }) =>
    [...new Set(text.match(form) ?? [])].filter((id) => !defined.includes(id)).map((id) => `${path} cites ${id}`),
  );
}

/** Only these are parsed, which takes its time. */
function isOfTests({ path, text }: Page): boolean {
  return path.endsWith('.ts') && text.includes("from 'vitest'");
}

/** The rules that titles of tests and of their groups name. */
function provedIn({ path, text }: Page): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    found.push(...titleOf(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true));
  return found;
}

function titleOf(node: ts.Node): readonly string[] {
  if (!ts.isCallExpression(node) || !/^(test|describe)\b/.test(node.expression.getText())) return [];
  const [title] = node.arguments;
  if (title === undefined || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return [];
  return title.getText().match(RULE) ?? [];
}

describe('the protocol', () => {
  const defined = definedIn(page(PROTOCOL).text);
  const isRule = (id: string) => id.startsWith('R-');
  const code = [...pagesIn('src'), ...pagesIn('test')];
  const atTheRoot = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const proved = new Set(code.filter(isOfTests).flatMap(provedIn));
  const prose = [...pagesIn('docs'), ...pagesIn('schemas'), ...atTheRoot.map(page)];

  test('defines each rule and each invariant once', () => {
    expect(defined.length).toBeGreaterThan(100);
    expect(repeated(defined)).toEqual([]);
  });

  test('defines every rule that code, tests and pages cite', () => {
    expect(undefinedIn([...code, ...prose], RULE, defined)).toEqual([]);
  });

  test('names no rule that the title of no test names', () => {
    expect(defined.filter((id) => isRule(id) && !proved.has(id))).toEqual([]);
  });

  test('lists the invariants that the simulation checks, and no others', () => {
    const simulation = pagesIn('test/simulation');
    const checked = new Set(simulation.flatMap(({ text }) => text.match(INVARIANT) ?? []));
    expect(undefinedIn(simulation, INVARIANT, defined)).toEqual([]);
    expect(defined.filter((id) => !isRule(id) && !checked.has(id))).toEqual([]);
  });
});

describe('what the checks catch', () => {
  const text =
    '- **R-A-1** One.\n- **R-A-2** Two, as R-A-1.\n- **I1** Three.\n- **R-A-1** Again.\nNot a rule: **R-A-3** x.\n';

  test('a rule is defined where a list item begins with it, and a second time is reported', () => {
    expect(definedIn(text)).toEqual(['R-A-1', 'R-A-2', 'I1', 'R-A-1']);
    expect(repeated(definedIn(text))).toEqual(['R-A-1']);
  });

  test('a citation without a definition is reported with its file, once', () => {
    const pages = [{ path: 'a.ts', text: '// R-A-1, R-A-12 and R-A-12 again' }];
    expect(undefinedIn(pages, RULE, ['R-A-1'])).toEqual(['a.ts cites R-A-12']);
  });

  test('a title counts in each form of a test, a comment and an argument do not', () => {
    const found = provedIn({
      path: 'a.test.ts',
      text: [
        "describe('a (R-A-1)', () => { test('b (R-A-2, R-A-3)', f); }); // R-A-9",
        "test.each(['R-A-9'])('%s (R-A-4)', f); test.skipIf(x)(`a: c (R-A-5)`, f);",
        "expect('R-A-9'); run('d (R-A-9)', f);",
      ].join('\n'),
    });
    expect(found.toSorted()).toEqual(['R-A-1', 'R-A-2', 'R-A-3', 'R-A-4', 'R-A-5']);
  });
});
