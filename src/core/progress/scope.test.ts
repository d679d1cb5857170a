import { expect, test } from 'vitest';
import { isPersonsScope, scopeLacks, scopeLines, scopeText, shownScope, withDraftedScope } from './scope.ts';

const hashOf = (text: string) =>
  [...text]
    .reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 1e12, 7)
    .toString(16)
    .padStart(12, '0');
const research = (bounds: string) =>
  `# Research\n\n## Scope\n\n- **Target**: the login\n- **Actions**: add it,\n  and test it\n- **Bounds:** ${bounds}\n- Deliverable: a form\n- **Complete when**: it is there\n- **Escalate when**: more is needed\n- **Mood**: good\n\n## Sources\n`;
const PROGRESS = '# login\n\n## Original Goal\nAdd it\n\n## Completed Tasks\n';
const drafted = withDraftedScope(PROGRESS, research('`src/`'), hashOf);

test('the scope that research drafts goes to the progress file, in its place, and doing it again changes nothing (R-SCOPE-1)', () => {
  expect(drafted).toMatch(
    /Add it\n\n## Scope\n- \*\*Target\*\*: the login\n- \*\*Actions\*\*: add it, and test it\n- \*\*Bounds\*\*: `src\/`\n(- .*\n){3}- Drafted with: research \(content [0-9a-f]{12}\)\n\n## Completed Tasks\n$/,
  );
  expect(withDraftedScope(drafted, research('`src/`'), hashOf)).toBe(drafted);
  expect(isPersonsScope(drafted, hashOf)).toBe(false);
  expect(scopeLines(drafted)).toHaveLength(6);
});

test('a later draft takes the place of an earlier one, and nothing else changes, line ends included (R-SCOPE-1)', () => {
  const again = withDraftedScope(drafted, research('`lib/`'), hashOf);
  expect(again).toContain('- **Bounds**: `lib/`\n');
  expect(withDraftedScope(again, research('`src/`'), hashOf)).toBe(drafted);
  const crlf = withDraftedScope(PROGRESS.replaceAll('\n', '\r\n'), research('`src/`'), hashOf);
  expect(crlf).toBe(drafted.replaceAll('\n', '\r\n'));
  expect(withDraftedScope(crlf, research('`src/`'), hashOf)).toBe(crlf);
  expect(withDraftedScope(drafted, '# Research\n', hashOf)).toBe(drafted);
});

test.each([
  ['wrote', `${PROGRESS}\n## Scope\nOnly the login.\n`],
  ['changed', drafted.replace('`src/`', '`src/`, `lib/`')],
  ['took over', drafted.replace(/- Drafted with: .*\n/, '')],
])('a scope that a person %s stays, and the gate says so (R-SCOPE-1, R-GATE-1)', (_how, progress) => {
  expect(isPersonsScope(progress, hashOf)).toBe(true);
  expect(withDraftedScope(progress, research('`other/`'), hashOf)).toBe(progress);
  const shown = shownScope(progress, research('`other/`'), hashOf);
  expect(shown?.isKept).toBe(true);
  expect(shown && scopeText(shown)[0]).toMatch(/kept as a person wrote it/);
});

test('a person is shown what is drafted, and an empty section is filled in (R-SCOPE-1, R-GATE-1)', () => {
  const shown = shownScope(PROGRESS, research('`src/`'), hashOf);
  expect(shown && scopeText(shown)).toEqual([
    'Scope, approved with the research:',
    '  - Target: the login',
    '  - Actions: add it, and test it',
    '  - Bounds: `src/`',
    '  - Deliverable: a form',
    '  - Complete when: it is there',
    '  - Escalate when: more is needed',
  ]);
  expect(shownScope(PROGRESS, '# Research\n', hashOf)).toBeUndefined();
  const empty = PROGRESS.replace('## Completed', '## Scope\n\n## Completed');
  expect(withDraftedScope(empty, research('`src/`'), hashOf)).toBe(drafted);
});

test.each([
  ['# Research\n', { section: true }],
  [
    '# Research\n\n## Scope\n- **Bounds**: `src/`\n- **Target**:\n',
    { fields: ['Target', 'Actions', 'Deliverable', 'Complete when', 'Escalate when'] },
  ],
  [research('the login'), { path: true }],
  [research('`src/`'), undefined],
])('a draft lacks what it does not say of the scope: %j (R-SCOPE-1)', (text, lacks) => {
  expect(scopeLacks(text)).toEqual(lacks);
});
