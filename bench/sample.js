import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SPEC = 'bench';
export const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Own identity and no configuration of the user: the same commits on every machine. */
export const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.invalid',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.invalid',
  GIT_CONFIG_GLOBAL: '/dev/null',
  SPECLOOP_TRUST: '1',
};

/** Text of a plan with this many tasks, as a planner would write them: about 300 bytes each. */
export function planText(count) {
  const tasks = Array.from(
    { length: count },
    (_, index) => `- [ ] 1.${index + 1} Add part ${index + 1} of the work
  - **Do**:
    1. Append one line to \`work.txt\`
    2. Leave everything else as it is
  - **Files**: \`work.txt\`
  - **Done when**: The file has one more line
  - **Verify**: \`test -s work.txt\`
  - **Commit**: \`feat(work): add part ${index + 1}\`
`,
  );
  return `# Tasks: bench\n\n## Phase 1: Work\n\n${tasks.join('\n')}`;
}

/** Makes a repository with this text as its plan, on a branch of its own. */
export function makeRepository(dir, tasks) {
  mkdirSync(join(dir, 'specs', SPEC), { recursive: true });
  writeFileSync(join(dir, 'specs', SPEC, 'tasks.md'), tasks);
  writeFileSync(join(dir, 'specs', SPEC, '.progress.md'), '## Completed Tasks\n');
  writeFileSync(join(dir, 'README.md'), '# Bench\n');
  git(dir, 'init', '--quiet', '--initial-branch', 'main');
  git(dir, 'add', '.');
  git(dir, 'commit', '--quiet', '--message', 'Begin');
  git(dir, 'switch', '--quiet', '--create', 'feat/bench');
}

function git(cwd, ...args) {
  execFileSync('git', args, { cwd, env: ENVIRONMENT });
}
