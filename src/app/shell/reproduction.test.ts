import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { taskMarkdown } from '../../core/plan/task-markdown.ts';
import { knownReality } from './reproduction.ts';

test('a progress file that many tasks have made long is still read for the defect of a bug fix (R-BUG-1)', () => {
  const dir = mkdtempSync(join(tmpdir(), 'specloop-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const spec = { name: 'demo', dir, path: 'specs/demo', operand: 'demo', format: taskMarkdown, progressFile: 'p.md' };
  const reality = '## Reality Check (BEFORE)\n- Command: `npm test`\n- Result: exit code 1\n- Defect shown: yes\n';
  writeFileSync(join(dir, 'p.md'), `# demo\n\n${reality}\n## Learnings\n${'- a note\n'.repeat(200_000)}`);
  expect(knownReality({ spec })?.command).toBe('npm test');
});
