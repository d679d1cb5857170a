import { expect, test } from 'vitest';
import { checkScopeDraft } from './check-scope-draft.ts';

const check = (text: string, progress = '') => checkScopeDraft({ file: 'research.md', text, progress }, (one) => one);

test('a draft of research without a scope is shown where it is approved; a part of one sends it back, with its line (R-SCOPE-1, R-PLAN-5)', () => {
  expect(check('# Research\n')).toMatchObject([{ severity: 'warning', code: 'no-scope', line: 1 }]);
  const part = '# Research\n\n## Scope\n- **Target**: it\n- **Actions**: add\n- **Bounds**: all of it\n';
  expect(check(part)).toMatchObject([
    { severity: 'finding', line: 3, message: 'The scope does not say: Deliverable, Complete when, Escalate when.' },
  ]);
  const whole = `${part}- **Deliverable**: it\n- **Complete when**: done\n- **Escalate when**: never\n`;
  expect(check(whole)).toMatchObject([{ severity: 'warning', code: 'scope-without-path', line: 3 }]);
  expect(check(whole.replace('all of it', '`src/`'))).toEqual([]);
});

test('nothing is missing where a person wrote the scope (R-SCOPE-1)', () => {
  expect(check('# Research\n', '## Scope\nOnly the login.\n')).toEqual([]);
});
