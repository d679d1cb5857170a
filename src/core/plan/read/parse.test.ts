import { describe, expect, test } from 'vitest';
import type { Task } from '../data/task.ts';
import { parsePlan } from './parse.ts';

const ids = (text: string): readonly string[] => parsePlan(text).tasks.map((task) => task.id);

function only(text: string): Task {
  const { tasks } = parsePlan(text);
  const task = tasks[0];
  if (task === undefined || tasks.length > 1) throw new Error(`${tasks.length} tasks`);
  return task;
}

/** A task with one field below it. */
const withField = (field: string): Task => only(`- [ ] 1.1 A\n${field}\n`);

describe('what hides a box (R-READ-2, R-READ-3)', () => {
  test('a closed fence, whatever its marks, its indentation and the fences shown in it', () => {
    expect(ids('- [ ] 1.1 A\n\n~~~\n- [ ] 1.2 B\n```\n~~~\n- [ ] 1.3 C\n')).toEqual(['1.1', '1.3']);
    expect(ids('- [ ] 1.1 A\n````md\n- [ ] 1.2 B\n```\n- [ ] 1.3 C\n````\n- [ ] 1.4 D\n')).toEqual(['1.1', '1.4']);
    expect(ids('- [ ] 1.1 A\n  1. ```sh\n     - [ ] 1.2 B\n     ```\n- [ ] 1.3 C\n')).toEqual(['1.1', '1.3']);
  });

  test('a fence in a list hides unindented lines too, if the fences of the file pair up', () => {
    const text =
      '- [ ] 5.1 A\n  - **Do**:\n    ```bash\n    gh pr create --body "\n## List\n- [ ] 9.9 B\n"\n    ```\n  - **Verify**: `x`\n- [ ] 5.2 C\n';
    expect(parsePlan(text).tasks.map((task) => [task.id, task.verifyCommand])).toEqual([
      ['5.1', 'x'],
      ['5.2', null],
    ]);
  });

  test.each([
    ['at the end', '- [ ] 1.1 A\n\n```\n- [ ] 1.2 B\n'],
    [
      'in a task, with a fence in a later one',
      '- [ ] 1.1 A\n    ```bash\n    npm test\n- [ ] 1.2 B\n    ```bash\n    npm test\n    ```\n- [ ] 1.3 C\n',
    ],
    [
      'without a language, with a fence in a later one',
      '- [ ] 1.1 A\n    ```\n    npm test\n- [ ] 1.2 B\n    ```\n    npm test\n    ```\n- [ ] 1.3 C\n',
    ],
    ['that is a stray closing line', '- [ ] 1.1 A\n```\n- [ ] 1.2 B\n  ```bash\n  npm test\n  ```\n- [ ] 1.3 C\n'],
  ])('a fence that is never closed hides nothing and is a warning: one %s', (_, text) => {
    const plan = parsePlan(text);
    expect(plan.tasks.map((task) => task.id)).toEqual(text.match(/\d\.\d/g));
    expect(plan.problems).toMatchObject([{ code: 'unclosed-fence', severity: 'warning' }]);
  });

  test('a comment, over several lines or with a fence in it', () => {
    expect(ids('<!-- - [ ] 1.0 Z\n- [ ] 1.1 A\n```\n-->\n- [ ] 1.2 B <!-- x -->\n')).toEqual(['1.2']);
  });

  test('a comment that is never closed hides nothing and is a warning', () => {
    const plan = parsePlan('- [ ] 1.1 A <!-- note\n- [ ] 1.2 B\n');
    expect(plan.tasks).toHaveLength(2);
    expect(plan.problems).toMatchObject([{ code: 'unclosed-comment', line: 1, column: 13 }]);
  });

  test('a stray comment mark does not reach for the end of a later comment', () => {
    expect(ids('- [ ] 1.1 Parse the <!-- mark\n- [ ] 1.2 B\n<!-- note -->\n')).toEqual(['1.1', '1.2']);
  });

  test('a comment mark in a code span or after a backslash is text', () => {
    expect(ids('- [ ] 1.1 Parse `<!--` marks\n- [ ] 1.2 B\n- [ ] 1.3 Not \\<!-- this\n- [ ] 1.4 C -->\n')).toHaveLength(
      4,
    );
  });

  test('a back-tick somebody forgot does not hide the tasks below it', () => {
    expect(ids('- [ ] 1.1 Don`t panic\n- [ ] 1.2 B\n- [ ] 1.3 Can`t stop\n')).toHaveLength(3);
    expect(ids('- [ ] Use `foo\n- [ ] B\n- [ ] Use bar`\n')).toHaveLength(3);
    expect(ids('- [ ] 1.1 A\n  - **Verify**: `npm test\n  - **Commit**: `x: y`\n- [ ] 1.2 B\n')).toHaveLength(2);
  });

  test('a here-document in a code span hides its lines, even with code spans of its own in it', () => {
    const text =
      '- [ ] 1.1 A\n  - **Do**: `gh pr create --body "$(cat <<\'EOF\'\n## Changes\n- `a.md`: new\n- [ ] 9.9 x\nEOF\n)"`\n  - **Verify**: `cat <<EOF | sh\necho `date`\nEOF`\n  - **Commit**: None\n- [ ] 1.2 B\n';
    const plan = parsePlan(text);
    expect(plan.tasks).toMatchObject([{ id: '1.1', verifyKind: 'prose', commitKind: 'none' }, { id: '1.2' }]);
    expect(only("- [ ] 1.1 A\n  - **Verify**: `cat <<'X' | sh\necho `date`\nX\n`\n").verifyCommand).toBe(
      "cat <<'X' | sh\necho `date`\nX",
    );
  });

  test('other HTML hides nothing', () => {
    expect(ids('<details>\n<summary>x</summary>\n\n- [ ] 1.1 A\n\n</details>\n')).toEqual(['1.1']);
  });

  test('a Markdown wrapper with as few marks as the fences in it is seen as a wrapper', () => {
    const plan = parsePlan('```markdown\n# T\n\n- [ ] 1.1 A\n  ```bash\n  - [ ] 9.9 x\n  ```\n- [ ] 1.2 B\n```\n');
    expect(plan.tasks.map((task) => task.id)).toEqual(['1.1', '1.2']);
    expect(plan.problems).toMatchObject([{ code: 'whole-file-fenced', line: 1 }]);
  });

  test('a file that begins and ends with a sample is no wrapped file', () => {
    expect(ids('```\n- [ ] 9.8 x\n```\n- [ ] 1.1 A\n```\n- [ ] 9.9 x\n```\n')).toEqual(['1.1']);
  });
});

describe('what a box is (R-READ-1)', () => {
  test.each([
    '- [ ]x',
    '- [] x',
    '- [y] x',
    '-[ ] x',
    '- [ ]',
    '> - [ ] x',
    '- \\[ ] x',
    'text [ ] x',
    '- [ ](x) y',
    '2024 [ ] x',
  ])('%s is no task', (line) => {
    expect(parsePlan(`${line}\n`).tasks).toEqual([]);
  });

  test('the state of a box', () => {
    const states = parsePlan('- [ ] a\n* [x] b\n+ [X] c\n1. [-] d\n2) [~] e\n').tasks.map((task) => task.state);
    expect(states).toEqual(['open', 'done', 'done', 'in-progress', 'blocked']);
  });

  test('its place counts lines and columns from 1', () => {
    expect(parsePlan('\uFEFF# T\r\n\r\n  - [ ] 1.1 A').tasks[0]?.box).toEqual({ line: 3, column: 6, offset: 13 });
  });
});

describe('ids and markers (R-READ-4, R-READ-5)', () => {
  test.each<[string, string | undefined, string]>([
    ['1.2 A', '1.2', 'A'],
    ['1.2: A', '1.2', 'A'],
    ['1.2. A', '1.2', 'A'],
    ['1.2 - A', '1.2', 'A'],
    ['**1.2** A', '1.2', 'A'],
    ['**1.2**: A', '1.2', 'A'],
    ['**1.2 A**', '1.2', 'A'],
    ['**1.2: A** and more', '1.2', 'A and more'],
    ['**Task 3: A**', '3', 'A'],
    ['Task 1.2: A', '1.2', 'A'],
    ['Task 1.2 is gone', undefined, 'Task 1.2 is gone'],
    ['1. A', '1', 'A'],
    ['3: A', '3', 'A'],
    ['20 tests pass', undefined, '20 tests pass'],
    ['3.5mm jack', undefined, '3.5mm jack'],
    ['4b.2 A', '4b.2', 'A'],
    ['T001 A', 'T001', 'A'],
    ['**T001**: A', 'T001', 'A'],
    ['T010a A', 'T010a', 'A'],
    ['T5 engine', undefined, 'T5 engine'],
    ['V1 A', undefined, 'V1 A'],
    ['V1 [VERIFY] A', 'V1', 'A'],
    ['[VERIFY] VE2 A', 'VE2', 'A'],
    ['VE2.1 [FIX VE2] A', 'VE2.1', 'A'],
    ['VF [VERIFY:E2E] A', 'VF', 'A'],
    ['dark-mode.1 [FIX dark-mode] A', 'dark-mode.1', 'A'],
    ['dark-mode.1 [FIX other] A', undefined, 'dark-mode.1 [FIX other] A'],
    ['1.2', '1.2', '1.2'],
    ['__init__.py is empty', undefined, '__init__.py is empty'],
    ['**Bold** words', undefined, '**Bold** words'],
  ])('"%s" has the id %s and the title "%s"', (text, id, title) => {
    const task = only(`- [ ] ${text}\n`);
    expect(task.hasOwnId ? task.id : undefined).toBe(id);
    expect(task.title).toBe(title);
  });

  test.each<[string, readonly string[], string]>([
    ['[P] 1.1 A', ['P'], 'A'],
    ['1.1 [p][us2] A', ['P', 'US2'], 'A'],
    ['1.1 **[P]** **[VERIFY]** A', ['P', 'VERIFY'], 'A'],
    ['1.1 (P) A', ['P'], 'A'],
    ['1.1 A (P)', ['P'], 'A'],
    ['1.1 A \\(P)', [], 'A \\(P)'],
    ['1.1 [S3.2] [P] A', ['P'], '[S3.2] A'],
    ['1.1 [Fix 1.0] A', ['FIX 1.0'], 'A'],
    ['1.1 `[P]` A', [], '`[P]` A'],
    ['1.1 A [P] b', [], 'A [P] b'],
    ['1.1 [P](x) A', [], '[P](x) A'],
    ['1.1 [new] A', [], '[new] A'],
  ])('"%s" has the markers %j and the title "%s"', (text, markers, title) => {
    expect(only(`- [ ] ${text}\n`)).toMatchObject({ markers, title });
  });

  test.each([
    ['[P]', true],
    ['[P] [VERIFY]', false],
    ['[VERIFY] [P]', false],
    ['[P] [SEQUENTIAL]', false],
    ['[sequential] [p]', false],
  ])('with the markers %s a task runs in parallel: %s (R-READ-6)', (markers, parallel) => {
    expect(only(`- [ ] 1.1 ${markers} A\n`).parallel).toBe(parallel);
  });

  test('a star after a box or an id makes a task optional, in the form a formatter gives it too', () => {
    for (const line of ['- [ ]* 1.1 A', '- [ ]\\* 1.1 A', '- [ ] 1.1* A', '- [ ] 1.1\\* (P) A']) {
      expect(only(`${line}\n`)).toMatchObject({ id: '1.1', title: 'A', optional: true });
    }
  });

  test('an id that the file does not give is made from the title, and unique', () => {
    expect(ids('- [ ] Dark mode!\n- [ ] dark  mode\n- [ ] 深色模式\n- [ ] !!!\n- [ ] ???\n')).toEqual([
      'dark-mode',
      'dark-mode-2',
      '深色模式',
      'task',
      'task-2',
    ]);
    expect(only(`- [ ] ${'long '.repeat(40)}\n`).id).toBe('long-long-long-long-long-long-long-long');
  });

  test('an id that is used twice gets two keys and a warning', () => {
    const plan = parsePlan('- [ ] 2.2 A\n- [ ] 2.2 B\n');
    expect(plan.tasks.map((task) => task.key)).toEqual(['2.2', '2.2#2']);
    expect(plan.problems).toMatchObject([{ code: 'duplicate-id', line: 2, column: 4 }]);
  });
});

describe('groups, checklists and criteria (R-READ-7, R-READ-8)', () => {
  test('nested boxes with ids make their holder a group, at any depth', () => {
    const plan = parsePlan('- [ ] Store\n  - [ ] 1.1 A\n    - [ ] 1.1.1 B\n    - [ ] 1.1.2 C\n  - [ ] 1.2 D\n');
    expect(plan.tasks.map((task) => task.id)).toEqual(['1.1.1', '1.1.2', '1.2']);
    expect(plan.groups.map(({ id, children }) => [id, children])).toEqual([
      [null, [0, 1, 2]],
      ['1.1', [0, 1]],
    ]);
  });

  test('a task with fields stays a task when a task is nested in it, and its body ends there', () => {
    const plan = parsePlan('- [ ] 1.3 A\n  - **Verify**: `a`\n  - [ ] 1.3.1 [FIX 1.3] B\n    - **Verify**: `b`\n');
    expect(plan.tasks.map((task) => [task.id, task.verifyCommand])).toEqual([
      ['1.3', 'a'],
      ['1.3.1', 'b'],
    ]);
    expect(plan.groups).toEqual([]);
  });

  test('a bare major is a group of the minors that follow it, as far as they follow it', () => {
    const plan = parsePlan('- [ ] 1. A\n- [ ] 1.1 B\n- [ ] 1.2 C\n- [ ] 2. D\n- [ ] 1.3 E\n');
    expect(plan.groups.map(({ id, children }) => [id, children])).toEqual([['1', [0, 1]]]);
    expect(plan.tasks.map((task) => task.id)).toEqual(['1.1', '1.2', '2', '1.3']);
  });

  test('a fix task makes no group of a task without a body', () => {
    expect(ids('- [ ] 1.1 A\n- [ ] 1.1.1 [FIX 1.1] B\n')).toEqual(['1.1', '1.1.1']);
  });

  test('a fix task in a plain checklist makes no criteria of its other sections', () => {
    expect(ids('## Now\n\n- [ ] A\n- [ ] a.1 [FIX a] B\n\n## Later\n\n- [ ] C\n')).toEqual(['a', 'a.1', 'c']);
  });

  test('a box without id is a task where its section holds one with an id, below a heading of its own it is not', () => {
    expect(ids('## A\n\n- [ ] 1.1 A\n- [ ] more\n\n### Criteria\n\n- [ ] fast\n\n## B\n\n- [ ] small\n')).toEqual([
      '1.1',
      'more',
    ]);
  });

  test('headings are the tasks when the boxes below them have no ids', () => {
    const text =
      '## Phase 1: A\n\n### Task 1.1: First\n- [x] a\n- [x] b\n\n**Files:** `a.ts` (new)\n**Verify:** `npm test`\n**AC:** 1\n\n### Task 1.2: [VERIFY] Second\n- [-] c\n#### Detail\n- [ ] d\n\n## Criteria\n\n- [ ] e\n';
    const plan = parsePlan(text);
    expect(plan.tasks).toMatchObject([
      { id: '1.1', title: 'First', state: 'done', phase: 'Phase 1: A', files: ['a.ts'], verifyCommand: 'npm test' },
      { id: '1.2', title: 'Second', state: 'in-progress', verify: true },
    ]);
    expect(plan.tasks[1]?.boxes).toHaveLength(2);
  });

  test('headings with numbered boxes below them are no tasks', () => {
    expect(ids('## Task 1: A\n\n- [ ] 1.1 B\n\n## Task 2: C\n\n- [ ] 2.1 D\n')).toEqual(['1.1', '2.1']);
  });
});

describe('phases and bodies (R-READ-9, R-READ-10)', () => {
  test('the nearest heading that says Phase, at any level and as written', () => {
    const plan = parsePlan('# Phase 1 – A\n## Sub\n- [ ] 1.1 A\n### Phase 2: B ##\n#### Sub\n- [ ] 2.1 B\n');
    expect(plan.tasks.map((task) => task.phase)).toEqual(['Phase 1 – A', 'Phase 2: B']);
  });

  test('without such a heading, the nearest of the highest level that has tasks', () => {
    const plan = parsePlan('# T\n## Goals\ntext\n### Now\n- [ ] a\n#### Sub\n- [ ] b\n### Later\n- [ ] c\n');
    expect(plan.tasks.map((task) => task.phase)).toEqual(['Goals', 'Goals', 'Goals']);
    expect(parsePlan('# T\n- [ ] a\n').tasks[0]?.phase).toBeUndefined();
  });

  test('a body runs on over whatever is in between, up to the next task or phase', () => {
    const text =
      '## Phase 1: A\n- [ ] 1.1 A\n  - **Do**: x\n\ntext at the margin\n\n### Heading\n\n  - **Verify**: `npm test`\n\n## Phase 2: B\n\n  - **Commit**: `x: y`\n- [ ] 2.1 B\n';
    const [first] = parsePlan(text).tasks;
    expect(first).toMatchObject({ steps: 'x', verifyCommand: 'npm test', commit: null });
    expect(first?.block.endsWith('`npm test`')).toBe(true);
  });

  test('sections after the last task are not in its block', () => {
    const plan = parsePlan('## Phase 1: A\n\n- [ ] 1.1 A\n  - x\n\n---\n\n## Notes\n\n**Verify**: by hand\n');
    expect(plan.tasks[0]).toMatchObject({ block: '- [ ] 1.1 A\n  - x', verifyKind: 'none' });
  });
});

describe('fields (R-READ-11, R-READ-12, R-READ-13, R-READ-14)', () => {
  test.each([
    '  - **Verify**: `x`',
    '  - **Verify:** `x`',
    '  * Verify: `x`',
    '  - **verify**： `x`',
    '  - __Verify__: `x`',
    '- **Verify**: `x`',
    '\t- **Verify** : `x`',
  ])('a field may be written %j', (field) => {
    expect(withField(field).verifyCommand).toBe('x');
  });

  test('a field inside the value of another, or deeper than one of the same name, is none', () => {
    const task = withField(
      '  - **Do**:\n    - Verify: `wrong`\n  - Note\n    - Verify: `wrong too`\n  - **Verify**: `right`',
    );
    expect(task.verifyCommand).toBe('right');
    expect(task.steps).toBe('- Verify: `wrong`');
  });

  test.each<[string, string | null]>([
    ['`a`, `b`, and `c` pass', 'a && b && c'],
    ['`a`; `b` && `c`', 'a && b && c'],
    ['`a` or `b`', 'a'],
    ['``echo `date` ``', 'echo `date`'],
    ['grep -q "retry" src/client.ts', 'grep -q "retry" src/client.ts'],
    ['npm test', 'npm test'],
    ['npm run lint && npm test', 'npm run lint && npm test'],
    ['pytest', 'pytest'],
    ['./scripts/check.sh', './scripts/check.sh'],
    ['CI=1 npm test -- --run', 'CI=1 npm test -- --run'],
    ['! grep -rn TODO src/', '! grep -rn TODO src/'],
    ['make check', 'make check'],
    ['npm test passes', null],
    ['npm test and npm run lint pass', null],
    ['make sure the page loads', null],
    ['test the login page', null],
    ['curl http://localhost:3000/health returns 200', null],
    ['grep finds nothing', null],
    ['find the slow query', null],
    ['node version 20 or newer', null],
    ['Run npm test', null],
    ['npm test.', null],
    ['cat the file', null],
    ['git log shows one commit', null],
    ['{{command}}', null],
    ['`npm test', null],
    ['None', null],
    ["`echo 'Verify manually'`", null],
    ['echo Verify manually', null],
    ['Manually run `npm start` and look', null],
  ])('Verify: %s is the command %s', (value, command) => {
    expect(withField(`  - **Verify**: ${value}`).verifyCommand).toBe(command);
  });

  test('the kinds of a Verify (R-PARSE-5)', () => {
    const kinds = ['`a`', 'All pass', 'Manual: look', "`echo 'Verify manually'`", 'N/A', ''].map(
      (value) => withField(`  - **Verify**: ${value}`).verifyKind,
    );
    expect(kinds).toEqual(['command', 'prose', 'manual', 'manual', 'none', 'none']);
    expect(only('- [ ] 1.1 A\n').verifyKind).toBe('none');
  });

  test('a fence gives its lines without the common indentation; a prompt in it is not part of the command', () => {
    expect(
      withField('  - **Verify**:\n    ```sh\n    if true; then\n      npm test\n    fi\n    ```').verifyCommand,
    ).toBe('if true; then\n  npm test\nfi');
    expect(withField('  - **Verify**: Type this:\n    ```console\n    $ npm test\n    ok\n    ```').verifyCommand).toBe(
      'npm test',
    );
    expect(withField('  - **Verify**: The answer is:\n    ```json\n    {}\n    ```').verifyKind).toBe('prose');
  });

  test('a command over several lines loses the indentation its lines share', () => {
    expect(withField('  - **Verify**: `python3 -c "\n    if 1:\n      print(1)\n    "`').verifyCommand).toBe(
      'python3 -c "\nif 1:\n  print(1)\n"',
    );
  });

  test.each<[string, readonly string[], boolean]>([
    ['src/a.ts; src/b.ts', ['src/a.ts', 'src/b.ts'], true],
    ['src/a.ts and `src/b.ts`', ['src/a.ts', 'src/b.ts'], true],
    ['`src/a.ts` and src/b.ts', ['src/a.ts', 'src/b.ts'], true],
    ['`src/a.ts` (see src/b.ts)', ['src/a.ts'], true],
    ['src/a.ts, `src/b c.ts` (new, large)', ['src/a.ts', 'src/b c.ts'], true],
    ['Create: src/a.ts', ['src/a.ts'], true],
    ['src/a.ts:10, src/b.ts#L3-L9, `src/c.ts:1-5`', ['src/a.ts', 'src/b.ts', 'src/c.ts'], true],
    ['Makefile, .gitignore, Dockerfile', ['Makefile', '.gitignore', 'Dockerfile'], true],
    ['src/{a,b}.ts, src/**/*.test.ts', ['src/{a,b}.ts', 'src/**/*.test.ts'], true],
    ['`src/a.ts` → `src/b.ts`', ['src/a.ts', 'src/b.ts'], true],
    ['None', [], true],
    ['`None`', [], true],
    ['none (checks only)', [], true],
    ['N/A', [], true],
    ['All view files', [], false],
    ['{{paths}}', [], false],
    ['', [], false],
  ])('Files: %s', (value, files, filesKnown) => {
    expect(withField(`  - **Files**: ${value}`)).toMatchObject({ files, filesKnown });
  });

  test.each<[string, readonly string[]]>([
    ['Add lookup in src/a.ts', ['src/a.ts']],
    ['Move `src/a.ts` to (src/b.ts).', ['src/a.ts', 'src/b.ts']],
    ['Contract test for POST /links', []],
    ['Upgrade to Node.js 20 and/or v1.2.3', []],
    ['See https://example.com/a.html', []],
  ])('without a Files field, the title "%s" names %j', (title, files) => {
    expect(only(`- [ ] 1.1 ${title}\n`)).toMatchObject({ files, filesKnown: false });
  });

  test.each<[string, string | null, string]>([
    ['`feat: a` (only if fixes needed)', 'feat: a', 'message'],
    ['feat: a (if needed)', 'feat: a', 'message'],
    ['feat(api): a (part 2)', 'feat(api): a (part 2)', 'message'],
    ['"feat: say `hi`"', 'feat: say `hi`', 'message'],
    ['Only if fixes needed: `chore: a`', 'chore: a', 'message'],
    ['feat: use `x`', 'feat: use `x`', 'message'],
    ['None', null, 'none'],
    ['none.', null, 'none'],
    ['None - checks only', null, 'none'],
    ['(part of the commit before)', null, 'none'],
    ['none-ascii: accents', 'none-ascii: accents', 'message'],
    ['', null, 'missing'],
  ])('Commit: %s', (value, commit, commitKind) => {
    expect(withField(`  - **Commit**: ${value}`)).toMatchObject({ commit, commitKind });
  });

  test('references are read without the emphasis around them', () => {
    expect(
      withField('  - _Requirements: 1.1, AC-2_\n  - _Design: Store_\n  - _Depends: 1.2, Task 3 (the API), T010-T012_'),
    ).toMatchObject({
      requirements: ['1.1', 'AC-2'],
      design: ['Store'],
      dependsOn: ['1.2', '3', 'T010', 'T012'],
    });
    expect(only('- [ ] T020 Wire it (depends on T010, Phase 2)\n').dependsOn).toEqual(['T010']);
  });

  test('the text of Do and Done when keeps its lines and loses the indentation they share', () => {
    expect(withField('  - **Do**:\r\n    1. a\r\n       - b\r\n    2. c\r\n  - **Done when**: it  \r\n')).toMatchObject(
      { steps: '1. a\n   - b\n2. c', doneWhen: 'it' },
    );
  });
});
