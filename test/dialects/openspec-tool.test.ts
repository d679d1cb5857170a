import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { formatOf } from '../../src/core/plan/dialects/formats.ts';

/** A folder in which `npm install @fission-ai/openspec` was run. */
const installed = process.env.SPECLOOP_OPENSPEC;
const folder = fileURLToPath(new URL('openspec', import.meta.url));
const format = formatOf('openspec');

describe.skipIf(installed === undefined)('OpenSpec itself (SPECLOOP_OPENSPEC)', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'specloop-openspec-')));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  function openspec(...args: readonly string[]): { readonly code: number | null; readonly stdout: string } {
    const program = join(installed ?? '', 'node_modules/@fission-ai/openspec/bin/openspec.js');
    const { status, stdout } = spawnSync(process.execPath, [program, ...args], {
      ...{ cwd: dir, encoding: 'utf8', env: { ...process.env, OPENSPEC_TELEMETRY: '0', CI: '1' } },
    });
    return { code: status, stdout };
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }

  function change(tasks: string): void {
    write('openspec/project.md', '# Project\n');
    write(
      'openspec/changes/add-export/proposal.md',
      '## Why\n\nPeople ask for an export of their data.\n\n## What Changes\n\n- An export\n',
    );
    write(
      'openspec/changes/add-export/specs/export/spec.md',
      '## ADDED Requirements\n\n### Requirement: Export\n\nThe system SHALL export all rows.\n\n#### Scenario: All rows\n\n- **WHEN** a person exports\n- **THEN** all rows are there\n',
    );
    write('openspec/changes/add-export/tasks.md', tasks);
  }

  function progress(): { readonly completedTasks: number; readonly totalTasks: number } {
    const { stdout } = openspec('list', '--json');
    const { changes } = JSON.parse(stdout.slice(stdout.indexOf('{')));
    return changes[0];
  }

  test.each(['fix-one-line', 'fix-nested', 'fix-last-in-section', 'fix-no-numbers', 'fix-crlf-no-newline'])(
    'counts one task more after the fix %s, one done after a tick, and validates as before (R-DIA-6)',
    (name) => {
      const plan = format.parse(readFileSync(join(folder, `${name}.before.md`), 'utf8'));
      change(plan.text);
      const before = progress();
      const valid = openspec('validate', 'add-export', '--strict').code;
      const original = plan.tasks.find(({ checked }) => !checked);
      if (original === undefined) throw new Error('No task is open.');
      const fixed = format.insertFix(plan, { id: '', original, error: 'no such file', attemptedFix: 'Looked' });
      if (!fixed.ok) throw new Error(fixed.reason);
      change(fixed.text);
      expect(progress()).toMatchObject({ completedTasks: before.completedTasks, totalTasks: before.totalTasks + 1 });
      const fix = fixed.plan.tasks.find(({ fixes }) => fixes === original.id);
      const ticked = fix && format.tick(fixed.plan, fix);
      if (!ticked?.ok) throw new Error(ticked?.reason ?? 'There is no fix.');
      change(ticked.text);
      write('openspec/changes/add-export/.progress.md', '# Progress\n');
      const boxes = (text: string) => text.match(/\[[xX]\]/g)?.length ?? 0;
      expect(progress().completedTasks).toBe(before.completedTasks + boxes(ticked.text) - boxes(fixed.text));
      expect(openspec('validate', 'add-export', '--strict').code).toBe(valid);
    },
  );
});
