import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePlan } from '../read/parse.ts';
import { type Reconciled, reconcile } from './reconcile.ts';

const TEXT = [
  '# Tasks',
  '',
  '## Completion criteria',
  '',
  '- [ ] docs are up to date',
  '',
  '## Phase 1: A',
  '',
  '- [x] 1.1 First',
  '  - **Do**: one',
  '  - **Verify**: `npm test`',
  '',
  '- [ ] 1.2 Second',
  '  - **Do**: two',
  '  - **Done when**:',
  '    - [ ] it works',
  '  - **Verify**: `npm run lint`',
  '',
  '- [ ] 1.3 Third',
  '  - **Do**: three',
  '',
  '## Notes',
  '',
  'Some text.',
  '',
].join('\n');
const plan = parsePlan(TEXT);

function after(change: (text: string) => string | undefined, before = plan): Reconciled {
  return reconcile(before, change(before.text), { own: ['1.2'] });
}

test('an untouched file costs nothing and changes nothing', () => {
  const result = after((text) => text);
  expect(result.plan).toBe(plan);
  expect(result).toMatchObject({ text: TEXT, violations: [], additions: [], ownTicked: [] });
});

test('an agent that ticks its own task breaks no rule; the box is put back (R-VER-3)', () => {
  const result = after((text) => text.replace('- [ ] 1.2', '- [x] 1.2'));
  expect(result).toMatchObject({ text: TEXT, violations: [], additions: [], ownTicked: ['1.2'] });
});

test('an agent may tick the checklist of its own task', () => {
  const changed = TEXT.replace('- [ ] it works', '- [x] it works');
  expect(after(() => changed)).toMatchObject({ text: changed, violations: [], ownTicked: [] });
});

test.each<[string, (text: string) => string | undefined, RegExp]>([
  ['removes the file', () => undefined, /removed/],
  ['empties the file', () => '\n', /emptied/],
  ['leaves no task', () => '# Tasks\n\nAll done.\n', /no longer holds a task/],
  ['removes a task', (text) => text.replace(/- \[ \] 1\.3[\s\S]*?three\n/, ''), /1\.3 was removed/],
  ['ticks another task', (text) => text.replace('- [ ] 1.3', '- [x] 1.3'), /1\.3 was ticked/],
  ['unticks a task', (text) => text.replace('- [x] 1.1', '- [ ] 1.1'), /1\.1 was unticked/],
  ['marks another task', (text) => text.replace('- [ ] 1.3', '- [~] 1.3'), /1\.3 was marked as blocked/],
  ['changes a title', (text) => text.replace('1.3 Third', '1.3 Fourth'), /title of task 1\.3/],
  ['adds a marker', (text) => text.replace('1.3 Third', '1.3 [P] Third'), /markers of task 1\.3/],
  ['changes an id', (text) => text.replace('1.3 Third', '1.4 Third'), /1\.3 was removed/],
  ['weakens its own Verify', (text) => text.replace('`npm run lint`', '`true`'), /Verify of task 1\.2/],
  ['changes a Do', (text) => text.replace('three', 'nothing'), /Do of task 1\.3/],
  ['renames a phase', (text) => text.replace('Phase 1: A', 'Phase 1: B'), /phase of task 1\.1/],
  [
    'moves a task',
    (text) => text.replace(/(- \[ \] 1\.2[\s\S]*?lint`\n\n)(- \[ \] 1\.3[\s\S]*?three\n\n)/, '$2$1'),
    /moved/,
  ],
  ['ticks a criterion', (text) => text.replace('- [ ] docs', '- [x] docs'), /"docs are up to date" was ticked/],
  [
    'adds a ticked task',
    (text) => text.replace('## Notes', '- [x] 1.4 Fourth\n\n## Notes'),
    /1\.4 is new and already ticked/,
  ],
  [
    'hides a task in a comment',
    (text) => text.replace('- [ ] 1.3', '<!-- -->\n<!--\n- [ ] 1.3').concat('-->\n'),
    /1\.3 was removed/,
  ],
])('an agent that %s breaks the rule, and the text comes back (R-VER-3)', (_, change, message) => {
  const result = after(change);
  expect(result.violations.join(' ')).toMatch(message);
  expect(result.text).toBe(TEXT);
  expect(result.plan).toBe(plan);
});

test('a task that a person adds meanwhile is kept and reported (R-VER-3)', () => {
  const changed = TEXT.replace('## Notes', '- [ ] 1.4 Fourth\n  - **Do**: four\n\n## Notes');
  const result = after(() => changed.replace('- [ ] 1.2', '- [x] 1.2'));
  expect(result).toMatchObject({ text: changed, violations: [], ownTicked: ['1.2'] });
  expect(result.additions).toEqual(['Task 1.4 was added on line 22.']);
  expect(result.plan.tasks.map((task) => task.id)).toEqual(['1.1', '1.2', '1.3', '1.4']);
});

test('text that an agent alone at work adds to the block of another open task breaks the rule (R-VER-3, R-SEC-1)', () => {
  const alone = (change: (text: string) => string) => reconcile(plan, change(TEXT), { own: ['1.2'], isAlone: true });
  const foreign = (text: string) => text.replace('**Do**: three\n', '**Do**: three\n\n  Only print the signal.\n');
  expect(after(foreign).violations).toEqual([]);
  const result = alone((text) => foreign(text).replace('Some text.', 'Some text.\nMore text.'));
  expect(result.violations).toHaveLength(1);
  expect(result.violations[0]).toMatch(/task 1\.3/);
  expect(result.text).toBe(TEXT.replace('Some text.', 'Some text.\nMore text.'));
  expect(alone((text) => text.replace('two\n', 'two\n\n  A note.\n')).text).toContain('A note.');
  expect(alone((text) => text.replace('## Notes', '- [ ] 1.4 Fourth\n\n## Notes')).violations).toEqual([]);
});

test('text that a person adds or changes outside of tasks is kept and reported', () => {
  const result = after((text) => text.replace('Some text.', 'Some other text.\nAnd more.'));
  expect(result.violations).toEqual([]);
  expect(result.text).toContain('And more.');
  expect(result.additions).toEqual(['Text was changed or added on lines 24 to 25.']);
});

test('beside a violation, what was purely inserted still stays (R-VER-3)', () => {
  const result = after((text) =>
    text
      .replace('- [ ] 1.3', '- [x] 1.3')
      .replace('## Notes', '- [ ] 1.4 Fourth\n\n## Notes')
      .replace('Some text.', 'Some text.\nMore text.'),
  );
  expect(result.violations).toEqual(['Task 1.3 was ticked.']);
  expect(result.text).toBe(
    TEXT.replace('## Notes', '- [ ] 1.4 Fourth\n\n## Notes').replace('Some text.', 'Some text.\nMore text.'),
  );
  expect(result.additions).toHaveLength(2);
});

test('beside a violation, an insertion that would harm is dropped while a harmless one stays', () => {
  const result = after((text) =>
    text
      .replace('1.3 Third', '1.3 Fourth')
      .replace('  - **Do**: two\n', '  - **Do**: two\n- [ ] 1.1 Again\n')
      .replace('Some text.', 'Some text.\nMore text.'),
  );
  expect(result.text).toBe(TEXT.replace('Some text.', 'Some text.\nMore text.'));
});

test('line breaks and the byte order mark of the file are restored (R-FILE-5)', () => {
  const before = parsePlan(`\uFEFF${TEXT.replaceAll('\n', '\r\n')}`);
  const result = after((text) => `${text.slice(1).replaceAll('\r\n', '\n')}\n- [ ] 1.9 Last\n`, before);
  expect(result.violations).toEqual([]);
  expect(result.text).toBe(`${before.text}\r\n- [ ] 1.9 Last\r\n`);
});

test('the box of a group that holds an own task is put back with it', () => {
  const before = parsePlan('- [ ] 1. A\n  - [ ] 1.1 B\n  - [ ] 1.2 C\n- [ ] 2. D\n  - [ ] 2.1 E\n');
  expect(after((text) => text.replace('[ ] 1.2', '[x] 1.2').replace('[ ] 1. A', '[x] 1. A'), before)).toMatchObject({
    text: before.text,
    violations: [],
  });
  expect(after((text) => text.replace('[ ] 2. D', '[x] 2. D'), before).violations).toEqual(['The group 2 was ticked.']);
});

test('whatever an agent does to the lines, no task is lost, changed or ticked (R-VER-3)', () => {
  const lines = TEXT.split('\n');
  const line = fc.oneof(
    fc.constantFrom(...lines),
    fc.constantFrom('```', '<!--', '- [x] 1.4 X', '- [ ] 1.5 Y', '## Phase 2: B', '  - **Verify**: `x`', '`'),
  );
  const edit = fc.record({ at: fc.nat(lines.length), remove: fc.nat(3), insert: fc.array(line, { maxLength: 3 }) });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const changed = [...lines];
      for (const { at, remove, insert } of edits) changed.splice(at, remove, ...insert);
      const result = after(() => changed.join('\n'));
      const kept = result.plan.tasks.filter((task) => plan.tasks.some((old) => old.key === task.key));
      expect(kept.map((task) => [task.key, task.checked, task.title, task.verifyCommand, task.steps])).toEqual(
        plan.tasks.map((task) => [task.key, task.checked, task.title, task.verifyCommand, task.steps]),
      );
      expect(result.plan).toEqual(parsePlan(result.text));
    }),
    { numRuns: 500 },
  );
});
