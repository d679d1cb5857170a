import { expect, test } from 'vitest';
import { documentCounts } from './document-counts.ts';

const REQUIREMENTS = `# Requirements

### US-1: Log in
- [ ] AC-1.1: A wrong password is rejected.
- [ ] AC-1.2: A right one is not.

| ID | Requirement | Priority |
|---|---|---|
| FR-1 | Check the password | Must |
`;

test('a document is summed up in numbers, by its kind (R-GATE-1)', () => {
  expect(documentCounts('requirements', REQUIREMENTS, {})).toBe(
    '1 story, 2 criteria, 1 functional requirement, 9 lines',
  );
  const tasks = '- [ ] 1.1 One\n  - **Verify**: `true`\n- [ ] 1.2 Two\n';
  expect(documentCounts('tasks', tasks, {})).toBe('2 tasks, 1 with a Verify command, 3 lines');
  expect(documentCounts('design', '## File Structure\n\n- `src/a.ts`: new\n', {})).toBe('1 file, 3 lines');
  expect(documentCounts('research', 'a\nb\n', {})).toBe('2 lines');
});
