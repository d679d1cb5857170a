import { expect, test } from 'vitest';
import { parsePlan } from '../plan/read/parse.ts';
import { checkPlanDraft } from './check-plan-draft.ts';

const choices = { goalClass: 'bug-fix', workflow: 'reproduce-first', skipped: [], tasksSize: 'fine' } as const;
const planWith = (verify: string) =>
  parsePlan(`# Tasks\n\n- [ ] 1.1 A\n  - **Verify**: \`npm  test -- a\`\n- [ ] 1.2 B\n  - **Verify**: \`${verify}\`\n`);

test.each([
  ['npm test -- a', []],
  ['npm test --  a && echo ok', []],
  ['npm test', ['no-reproduction-last']],
])('the last task of a bug fix verifies with the command that shows the defect: %j (R-BUG-1)', (verify, codes) => {
  const found = checkPlanDraft({ file: 'tasks.md', plan: planWith(verify), choices, reproduction: 'npm test -- a' });
  expect(found.map(({ code }) => code)).toEqual(codes);
});
