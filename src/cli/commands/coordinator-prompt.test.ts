import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PLAN, type TestRepository, testRepository } from '../shared/test-rig.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = testRepository();
  repository.write('specs/demo/tasks.md', PLAN);
});
afterEach(() => repository.remove());

const PAGE = 'specs/demo/.coordinator-prompt.md';

function enable(name: string): void {
  const folder = join(repository.dir, '../home/.claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ enabledPlugins: { [name]: true } }));
}

test('without the Ralph Loop plugin the error names the command that installs it, and nothing is written (R-START-9)', async () => {
  enable('other-loop@market');
  const { code, stderr } = await repository.run(['coordinator-prompt', 'demo']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('/plugin install ralph-loop@claude-plugins-official')]);
  expect(existsSync(join(repository.dir, PAGE))).toBe(false);
});

test.each([
  ['ralph-loop@claude-plugins-official', '/ralph-loop:ralph-loop'],
  ['ralph-wiggum@market', '/ralph-wiggum:ralph-loop'],
])(
  'with %s it writes the page, and prints the call of that plugin alone on stdout (R-SES-9)',
  async (name, command) => {
    enable(name);
    const { code, stdout } = await repository.run(['coordinator-prompt', 'demo']);
    const order = `Read ./${PAGE} and follow it exactly. Output ALL_TASKS_COMPLETE when it says so.`;
    const limits = '--max-iterations 5 --completion-promise ALL_TASKS_COMPLETE';
    expect([code, stdout]).toEqual([0, `${command} "${order}" ${limits}\n`]);
    const page = readFileSync(join(repository.dir, PAGE), 'utf8');
    expect(page).toContain('specloop next demo --json');
    expect(page).not.toContain('{{');
  },
);

test('the page is ignored by git, and is not part of a commit (R-START-9, R-FILE-8)', async () => {
  enable('ralph-loop@market');
  await repository.run(['coordinator-prompt', 'demo']);
  expect(repository.git('status', '--porcelain', '-uall')).not.toContain('coordinator');
});
