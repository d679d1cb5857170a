import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Workshop } from '../cli/rig.ts';

/** A plan that no check finds fault with, without a quote that a shell would need. */
export const ONE_TASK = `# Tasks

## Phase 1

- [ ] 1.1 Correct the word
  - **Do**: Correct it
  - **Files**: \`README.md\`
  - **Done when**: It is right
  - **Verify**: \`grep -q right README.md\`
  - **Commit**: \`docs: correct a word\`
`;
/** The answer of its author. */
export const DRAFTED = 'Written.\n\nDRAFT_COMPLETE';

/** The first attempt wrote the draft and a stray file, which was put back and kept; the second one left the draft as it is. */
export function expectOneDraft({ dir, git }: Workshop, stderr: string): void {
  expect(stderr).toContain('It also changed stray.txt; that was put back.');
  expect(existsSync(join(dir, 'stray.txt'))).toBe(false);
  const [ref = ''] = git('for-each-ref', '--format=%(refname)', 'refs/specloop/kept').split('\n');
  expect(git('show', `${ref}:stray.txt`)).toContain('stray');
  expect(git('show', '--name-only', '--format=%s', 'HEAD').trim().split(/\n+/)).toEqual([
    'spec(login): add implementation tasks',
    'specs/login/tasks.md',
  ]);
}
