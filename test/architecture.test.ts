import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FUNCTION_LINES_MAX = 70;

/** What keeps a surface from the run, and what is kept of every run, whoever shows it. */
const OF_SURFACES = ['src/surfaces/surface.ts', 'src/surfaces/isolate.ts', 'src/surfaces/records'];

/** What a folder of `src` may import of ours, beside itself. Type-only imports count. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/ports': ['src/core'],
  'src/engine': ['src/core', 'src/ports'],
  'src/adapters/agent': ['src/core', 'src/ports', 'src/adapters/program'],
  'src/adapters/clock': ['src/core', 'src/ports'],
  'src/adapters/forge': ['src/core', 'src/ports', 'src/adapters/program'],
  'src/adapters/git': ['src/core', 'src/ports', 'src/adapters/program'],
  'src/adapters/mcp': ['src/core', 'src/ports'],
  'src/adapters/process': ['src/core', 'src/ports', 'src/adapters/program'],
  'src/adapters/program': [],
  'src/adapters/store': ['src/core', 'src/ports'],
  'src/adapters/workspace': ['src/core', 'src/ports'],
  'src/surfaces': ['src/core', 'src/ports'],
  'src/config': ['src/core'],
  'src/testing': ['src/core', 'src/ports'],
  'src/app': ['src/core', 'src/ports', 'src/engine', 'src/adapters', 'src/config', ...OF_SURFACES],
  'src/cli': ['src/app', 'src/core', 'src/config', 'src/surfaces', 'package.json'],
  'src/index.ts': ['src/app', 'src/core', 'src/ports'],
};

/** Who may import what is not ours. `node:` stands for all that comes with Node. A test may import what tests are made of. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'src/engine': ['picomatch'],
  'src/adapters/agent': ['node:'],
  'src/adapters/clock': ['node:'],
  'src/adapters/forge': ['node:', 'zod'],
  'src/adapters/git': ['node:'],
  'src/adapters/mcp': ['node:', '@modelcontextprotocol/sdk', 'zod'],
  'src/adapters/process': ['node:'],
  'src/adapters/program': ['node:'],
  'src/adapters/store': ['node:', 'fs-native-extensions'],
  'src/adapters/workspace': ['node:'],
  'src/surfaces': ['node:', 'picocolors', 'string-width', 'zod'],
  'src/config': ['node:', 'yaml', 'zod'],
  'src/testing': ['node:'],
  'src/app': ['node:'],
  'src/cli': ['node:', 'commander', 'picocolors'],
  'src/index.ts': [],
};
/** A test of the command line makes what the commands find. */
const TESTS_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = { 'src/cli': ['src/ports', 'src/adapters'] };
const TEST_PACKAGES = ['node:', 'vitest', 'fast-check', 'typescript'];

/** Where the names of the files of a spec are decided. */
const SPEC_FILES = 'src/core/spec-files.ts';

/** The supervisor is a program of its own: it outlives the process whose end `cli/shared/exit.ts` decides. */
const MAY_EXIT = ['src/cli/shared/exit.ts', 'src/adapters/process/supervisor.ts'];

interface Import {
  readonly name: string;
  /** The imported file, if it is one of ours. */
  readonly file?: string;
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

function source(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const names = nodes(tree).flatMap((node) => importedName(node) ?? []);
  const imports = names.map((name) => (name.startsWith('.') ? { name, file: join(dirname(path), name) } : { name }));
  return { path, text, tree, imports };
}

function readTree(folder: string): readonly Source[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(ts|mjs|js)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  return paths.sort().map((path) => source(path, readFileSync(join(ROOT, path), 'utf8')));
}

function nodes(root: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function importedName(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : undefined;
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? literal(node.arguments[0]) : undefined;
}

function literal(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

const isTest = (path: string) => /(\.test|\/test-rig)\.ts$/.test(path);
const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const areaOf = (path: string) => Object.keys(MAY_IMPORT).find((area) => isWithin(path, area));

function forbiddenImports(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path, imports }) => {
    const area = areaOf(path);
    if (area === undefined) return [`${path} is in no folder that the table of imports knows`];
    const folders = [area, ...(MAY_IMPORT[area] ?? []), ...((isTest(path) && TESTS_MAY_IMPORT[area]) || [])];
    const packages = [...(PACKAGES[area] ?? []), ...(isTest(path) ? TEST_PACKAGES : [])];
    const mayImport = ({ name, file }: Import) =>
      file === undefined
        ? packages.some((allowed) => isWithin(name, allowed) || (allowed === 'node:' && name.startsWith(allowed)))
        : folders.some((folder) => isWithin(file, folder));
    return imports.filter((wanted) => !mayImport(wanted)).map(({ name, file }) => `${path} imports ${file ?? name}`);
  });
}

/** The first way back from a file to itself, for each file that has one. */
function cycles(sources: readonly Pick<Source, 'path' | 'imports'>[]): readonly string[] {
  const edges = new Map(sources.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]));
  const settled = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || settled.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    settled.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}

/** The folders within a part of the tree, each with those that its files import from. What lies beside all folders of core is for everybody. */
function foldersOf(part: string): readonly Pick<Source, 'path' | 'imports'>[] {
  const files = shipped.filter(({ path }) => isWithin(path, part));
  const folders = new Set(files.map(({ path }) => dirname(path)));
  if (part === 'src/core') folders.delete(part);
  return [...folders].map((path) => ({
    path,
    imports: files
      .filter((file) => dirname(file.path) === path)
      .flatMap(({ imports }) => imports.map(({ file = '' }) => dirname(file)))
      .filter((to) => to !== path && folders.has(to))
      .map((to) => ({ name: to, file: to })),
  }));
}

/** The paths in a text, in backticks. A name without a folder is in the folder of the path before it on the line. */
function namedPaths(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    let folder = '';
    return [...line.matchAll(/`([\w./-]+)`/g)].flatMap(([, path = '']) => {
      if (/^(src|test|scripts|docs|plugin)\//.test(path)) folder = path.endsWith('/') ? path : `${dirname(path)}/`;
      else if (folder === '' || !/^[\w-]+\.ts$/.test(path)) return [];
      return path.startsWith(folder) ? [path] : [`${folder}${path}`];
    });
  });
}

function lineOf({ tree }: Source, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
}

/** Names that types and classes of several files share, with these files. */
function sharedTypeNames(sources: readonly Source[]): readonly string[] {
  const files = new Map<string, string[]>();
  for (const { path, tree } of sources) {
    for (const statement of tree.statements) {
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      if (!isType && !ts.isClassDeclaration(statement)) continue;
      const name = statement.name?.text ?? '';
      files.set(name, [...(files.get(name) ?? []), path]);
    }
  }
  return [...files].flatMap(([name, paths]) => (paths.length > 1 ? [`${name}: ${paths.join(', ')}`] : []));
}

function longFunctions(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((file) =>
    nodes(file.tree).flatMap((node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined || listsTests(node.body)) return [];
      const lines = linesOf(file, node) - linesOfTexts(file, node);
      return lines > FUNCTION_LINES_MAX
        ? [`${file.path}:${lineOf(file, node.getStart())} is a function of ${lines} lines`]
        : [];
    }),
  );
}

/** A function whose statements are tests is a list, as long as their number asks; each of them is measured. */
function listsTests(body: ts.Node): boolean {
  return (
    ts.isBlock(body) &&
    body.statements.some(
      (statement) => ts.isExpressionStatement(statement) && /^(test|describe)\b/.test(statement.getText()),
    )
  );
}

function linesOf(file: Source, node: ts.Node): number {
  return lineOf(file, node.end) - lineOf(file, node.getStart()) + 1;
}

/** The transcript that a test expects is text, not code. */
function linesOfTexts(file: Source, root: ts.Node): number {
  const texts = nodes(root).filter((node) => ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node));
  return texts.reduce((sum, text) => sum + linesOf(file, text) - 1, 0);
}

/** What gives another answer on another machine, on another day or in another order. */
function impurities(sources: readonly Source[]): readonly string[] {
  const impure = /^(Date|Intl|Math\.random|.+\.(localeCompare|toLocale\w+))$/;
  return sources.flatMap((file) =>
    nodes(file.tree).flatMap((node) => {
      const at = `${file.path}:${lineOf(file, node.getStart())}`;
      if (ts.isAwaitExpression(node)) return [`${at} awaits`];
      const isName = ts.isPropertyAccessExpression(node) || (ts.isIdentifier(node) && !ts.isTypeNode(node.parent));
      return isName && impure.test(node.getText().replaceAll('?.', '.')) ? [`${at} uses ${node.getText()}`] : [];
    }),
  );
}

/** Texts and patterns that spell out the name of a file of a spec instead of asking `SPEC_FILES` for it. */
function namedSpecFiles(sources: readonly Source[]): readonly string[] {
  const named =
    /tasks\.md|\.ralph-state\.json|\.progress(-task-|\.md)|(research|requirements|design)\.md|\.current-spec|\.specloop-tmp/;
  return sources.flatMap((file) =>
    nodes(file.tree)
      .filter((node) => ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node))
      .filter((node) => named.test(node.getText().replaceAll('\\', '')))
      .map((node) => `${file.path}:${lineOf(file, node.getStart())} ${node.getText()}`),
  );
}

function exits(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((file) =>
    nodes(file.tree)
      .filter((node) => ts.isPropertyAccessExpression(node) && node.getText() === 'process.exit')
      .map((node) => `${file.path}:${lineOf(file, node.getStart())} ends the process`),
  );
}

function comments(file: Source): readonly { readonly line: number; readonly text: string }[] {
  const ranges = nodes(file.tree)
    .flatMap((node) => [
      ...(ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(file.text, node.end) ?? []),
    ])
    .filter(({ pos }) => !isInsideLiteral(file, pos));
  const byPosition = new Map(ranges.map((range) => [range.pos, range]));
  return [...byPosition.values()].map(({ pos, end }) => ({ line: lineOf(file, pos), text: file.text.slice(pos, end) }));
}

function isInsideLiteral({ tree }: Source, position: number): boolean {
  const innermost = (node: ts.Node): ts.Node =>
    ts.forEachChild(node, (child) =>
      child.getStart() <= position && position < child.end ? innermost(child) : undefined,
    ) ?? node;
  const node = innermost(tree);
  return ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node);
}

/** Comments that postpone work, and code that was put to sleep instead of being deleted. */
function leftovers(sources: readonly Source[]): readonly string[] {
  const postponed = /\b(TODO|FIXME|XXX|HACK)\b/;
  const code =
    /^\/\/\s*((const|let|return|import|export|await|throw|if \(|for \(|\} else)\b.*[;{(]|.*\)\s*;|\}\s*[;)]*)$/;
  return sources.flatMap((file) =>
    comments(file)
      .filter(({ text }) => postponed.test(text) || code.test(text))
      .map(({ line, text }) => `${file.path}:${line} ${text.split('\n')[0]}`),
  );
}

const src = readTree('src');
const shipped = src.filter(({ path }) => !isTest(path));
const all = [
  ...src,
  ...['test', 'scripts', 'bench'].filter((folder) => existsSync(join(ROOT, folder))).flatMap(readTree),
];

describe('the tree', () => {
  test('a file imports only what the table allows', () => {
    expect(forbiddenImports(src)).toEqual([]);
  });

  test('an import names a file that is there', () => {
    const dangling = src.flatMap(({ path, imports }) =>
      imports
        .filter(({ file }) => file !== undefined && !existsSync(join(ROOT, file)))
        .map(({ name }) => `${path} imports ${name}`),
    );
    expect(dangling).toEqual([]);
  });

  test('ARCHITECTURE.md names files and folders that are there', () => {
    const missing = namedPaths(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')).filter(
      (path) => !existsSync(join(ROOT, path)),
    );
    expect(missing).toEqual([]);
  });

  test('no file can reach itself through its imports, types included', () => {
    expect(cycles(src)).toEqual([]);
  });

  test.each(['core', 'engine', 'cli'])('no folder of %s can reach itself through the imports of its files', (part) => {
    expect(cycles(foldersOf(`src/${part}`))).toEqual([]);
  });

  test('a name of a type has one meaning: it is declared in one file', () => {
    expect(sharedTypeNames(shipped)).toEqual([]);
  });

  test(`no function passes ${FUNCTION_LINES_MAX} lines`, () => {
    expect(longFunctions(all)).toEqual([]);
  });

  test('core asks for neither time nor chance nor place, and waits for nothing', () => {
    expect(impurities(shipped.filter(({ path }) => isWithin(path, 'src/core')))).toEqual([]);
  });

  test('the names of the files of a spec stand in one module (R-FILE-3)', () => {
    expect(namedSpecFiles(shipped.filter(({ path }) => path !== SPEC_FILES))).toEqual([]);
    const planted = source('src/x.ts', 'const a = `/tasks.md`; const c = /x\\.ralph-state\\.json/; // design.md');
    expect(namedSpecFiles([planted])).toHaveLength(2);
  });

  test('only the file that is made for it ends the process', () => {
    expect(exits(shipped.filter(({ path }) => !MAY_EXIT.includes(path)))).toEqual([]);
  });

  test('nothing is put off and no code sleeps in a comment', () => {
    expect(leftovers(all)).toEqual([]);
  });

  test('every dependency has its reason among the decisions', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Readonly<Record<string, string>>
    >;
    const folder = join(ROOT, 'docs/decisions');
    const decisions = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const names = Object.keys({ ...dependencies, ...devDependencies });
    expect(names.filter((name) => !decisions.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('what the checks catch', () => {
  test('a type name that two files declare is named with both', () => {
    const sources = [source('src/a.ts', 'interface Entry {}'), source('src/b.ts', 'export type Entry = 1;')];
    expect(sharedTypeNames(sources)).toEqual(['Entry: src/a.ts, src/b.ts']);
  });

  test('a forbidden import is named by both ends, also when only a type is taken or it is made late', () => {
    const texts = [
      "import type { Git } from '../../ports/git.ts';",
      "type Git = import('../../ports/git.ts').Git;",
      "export * from '../../ports/git.ts';",
      "const git = () => import('../../ports/git.ts');",
    ];
    const found = texts.flatMap((text) => forbiddenImports([source('src/core/run/next.ts', text)]));
    expect(found).toEqual(texts.map(() => 'src/core/run/next.ts imports src/ports/git.ts'));
  });

  test('an adapter that reaches for another one is caught, and one that uses a package of its own is not', () => {
    const found = forbiddenImports([
      source('src/adapters/git/a.ts', "import { lock } from '../store/lock.ts'; import 'node:fs'; import './b.ts';"),
      source('src/core/a.ts', "import 'node:fs'; import 'zod';"),
      source('src/core/a.test.ts', "import 'node:fs'; import 'vitest';"),
      source('src/utils/a.ts', ''),
    ]);
    expect(found).toEqual([
      'src/adapters/git/a.ts imports src/adapters/store/lock.ts',
      'src/core/a.ts imports node:fs',
      'src/core/a.ts imports zod',
      'src/utils/a.ts is in no folder that the table of imports knows',
    ]);
  });

  test('a file is looked for in the folder that was named before it', () => {
    const line = '| a `word` | `src/core/run/next.ts`, then `evolve.ts` and `src/core/answer/`, `open` |';
    expect(namedPaths(line)).toEqual(['src/core/run/next.ts', 'src/core/run/evolve.ts', 'src/core/answer/']);
  });

  test('a way round through types is a cycle', () => {
    const found = cycles([
      source('src/core/a.ts', "import './b.ts';"),
      source('src/core/b.ts', "import type { C } from './c.ts';"),
      source('src/core/c.ts', "import { b } from './b.ts';"),
    ]);
    expect(found).toEqual(['src/core/b.ts → src/core/c.ts → src/core/b.ts']);
  });

  test('a function is measured from its name to its last brace', () => {
    const lines = (count: number) => `function f() {\n${'f();\n'.repeat(count - 2)}}`;
    expect(longFunctions([source('a.ts', lines(70))])).toEqual([]);
    expect(longFunctions([source('a.ts', `\n${lines(71)}`)])).toEqual(['a.ts:2 is a function of 71 lines']);
    expect(longFunctions([source('a.ts', `x.map(() => {${'\n'.repeat(71)}});`)])).toHaveLength(1);
    expect(longFunctions([source('a.ts', `x.map(() => {test('', f);${'\n'.repeat(71)}});`)])).toEqual([]);
    expect(longFunctions([source('a.ts', `x.map(() => \`${'\n'.repeat(71)}\`);`)])).toEqual([]);
  });

  test('time, chance, language and waiting are found in code and not in words', () => {
    const text = "/* Date */ 'Date'; new Date(); Math.random(); a.localeCompare(b); await c; type D = { Date: 1 };";
    expect(impurities([source('a.ts', text)])).toEqual([
      'a.ts:1 uses Date',
      'a.ts:1 uses Math.random',
      'a.ts:1 uses a.localeCompare',
      'a.ts:1 awaits',
      'a.ts:1 uses Date',
    ]);
  });

  test('a comment that is code is distinguished from a comment that is a sentence', () => {
    const text = [
      '// TODO: later',
      '// const x = f();',
      '// run(it);',
      '// if (a) {',
      "const s = '// TODO'; const t = `// const x = 1;`;",
      '// Returns what it was given (as a list).',
      '// import order does not matter',
      '// f is called twice; the second call finds nothing',
    ].join('\n');
    expect(leftovers([source('a.ts', text)])).toEqual([
      'a.ts:1 // TODO: later',
      'a.ts:2 // const x = f();',
      'a.ts:3 // run(it);',
      'a.ts:4 // if (a) {',
    ]);
  });
});
