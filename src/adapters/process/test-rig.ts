import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

/** A folder with this adapter as plain JavaScript, for tests that need it in a process of its own. */
export interface Built {
  readonly dir: string;
  readonly supervisorPath: string;
  remove(): void;
}

/** Compiles this folder, file by file, so that tests need no build. */
export function build(): Built {
  const dir = mkdtempSync(join(tmpdir(), 'process-test-'));
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    rewriteRelativeImportExtensions: true,
  };
  for (const name of readdirSync(import.meta.dirname)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const source = readFileSync(join(import.meta.dirname, name), 'utf8');
    const { outputText } = ts.transpileModule(source, { compilerOptions });
    writeFileSync(join(dir, name.replace(/\.ts$/, '.js')), outputText);
  }
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  return {
    dir,
    supervisorPath: join(dir, 'supervisor.js'),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
