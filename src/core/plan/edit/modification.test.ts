import { expect, test } from 'vitest';
import { parsePlan } from '../read/parse.ts';
import {
  applyModification,
  checkModification,
  type ModificationRequest,
  parseModificationRequest,
} from './modification.ts';

const LIMIT = { modificationsSoFar: 0, max: 3 };

function block(id: string, { done = false, without = '' } = {}): string {
  const fields = [
    '**Do**:\n    1. Do it',
    '**Files**: work.log',
    '**Done when**: it is there',
    '**Verify**: `true`',
    '**Commit**: `feat(x): it`',
  ];
  const kept = fields.filter((field) => without === '' || !field.startsWith(`**${without}`));
  return [`- [${done ? 'x' : ' '}] ${id} Task ${id}`, ...kept.map((field) => `  - ${field}`)].join('\n');
}

const plan = parsePlan(`# Tasks\n\n## Phase 2: B\n\n${block('2.1')}\n\n${block('2.2')}\n`);

function request(
  proposedTasks: readonly string[],
  type: ModificationRequest['type'] = 'ADD_FOLLOWUP',
  originalTaskId = '2.1',
): ModificationRequest {
  return { type, originalTaskId, reasoning: 'it is too big', proposedTasks };
}

function answer(json: string): string {
  return `Some words.\n\nTASK_MODIFICATION_REQUEST\n\`\`\`json\n${json}\n\`\`\`\n\nTASK_COMPLETE\n`;
}

test('a request is found after its signal, fenced or not, with text around it (R-MOD-1)', () => {
  const json = JSON.stringify(request([block('2.1.1')]), undefined, 2);
  const texts = [
    answer(json),
    `TASK_MODIFICATION_REQUEST\n${json}\nmore {text}`,
    `**TASK_MODIFICATION_REQUEST**\n\nHere it is: ${json}`,
    `- \`TASK_MODIFICATION_REQUEST\`:\r\n${json}`,
  ];
  for (const text of texts)
    expect(parseModificationRequest(text)).toEqual({ kind: 'request', request: request([block('2.1.1')]) });
});

test('the signal inside a sentence, a quote or a fence is none (R-DEL-4)', () => {
  const json = JSON.stringify(request([]));
  const texts = [
    `I could send TASK_MODIFICATION_REQUEST ${json}`,
    `> TASK_MODIFICATION_REQUEST\n> ${json}`,
    `\`\`\`\nTASK_MODIFICATION_REQUEST\n${json}\n\`\`\``,
    'TASK_COMPLETE',
  ];
  for (const text of texts) expect(parseModificationRequest(text)).toEqual({ kind: 'none' });
});

test.each([
  ['no JSON', 'TASK_MODIFICATION_REQUEST\n'],
  ['JSON that ends early', answer('{ "type": "ADD_FOLLOWUP", ')],
  ['another type', answer('{"type":"DELETE_TASK","originalTaskId":"2.1","proposedTasks":["x"]}')],
  ['a number for an id', answer('{"type":"SPLIT_TASK","originalTaskId":2.1,"proposedTasks":["x"]}')],
  ['no list', answer('{"type":"SPLIT_TASK","originalTaskId":"2.1","proposedTasks":"hello"}')],
  ['a list of something else', answer('{"type":"SPLIT_TASK","originalTaskId":"2.1","proposedTasks":[{"id":"2.1.1"}]}')],
])('a request with %s is malformed, with a reason (R-MOD-2)', (_, text) => {
  expect(parseModificationRequest(text)).toMatchObject({
    kind: 'malformed',
    reason: expect.stringMatching(/^[a-z].+\.$/),
  });
});

test.each([
  ['an empty list', request([]), /no task/],
  ['an unknown original', request([block('2.1.1')], 'SPLIT_TASK', '9.9'), /9\.9/],
  ['no Do', request([block('2.1.1', { without: 'Do' })]), /has no Do\b/],
  ['no Files', request([block('2.1.1', { without: 'Files' })]), /has no Files/],
  ['no Done when', request([block('2.1.1', { without: 'Done when' })]), /has no Done when/],
  ['no Verify', request([block('2.1.1', { without: 'Verify' })]), /has no Verify/],
  ['no Commit', request([block('2.1.1', { without: 'Commit' })]), /has no Commit/],
  ['an id that exists', request([block('2.2')]), /2\.2, which already exists/],
  ['the same id twice', request([block('2.1.1'), block('2.1.1')]), /proposed task 2 .*exists/],
  ['an id that is too deep', request([block('2.1.1.1.1')]), /deeper/],
  ['two tasks in one block', request([`${block('2.1.1')}\n${block('2.1.2')}`]), /more than one/],
  ['a ticked task', request([block('2.1.1', { done: true })]), /ticked/],
  ['text that is no task', request(['hello']), /is not a task/],
  ['text around the task', request([`## Phase 9: X\n\n${block('2.1.1')}`]), /does not belong/],
  ['a fence left open', request([`${block('2.1.1')}\n  \`\`\``]), /fence/],
  [
    'a fix task, which would be checked less',
    request([block('2.1.1').replace('2.1.1', '2.1.1 [FIX 2.1]')]),
    /fix task/,
  ],
])('a request with %s is refused (R-MOD-2)', (_, asked, reason) => {
  const decision = checkModification(plan, asked, LIMIT);
  expect(decision.ok ? '' : decision.reason).toMatch(reason);
  expect(decision.ok ? '' : decision.reason).toMatch(/^[a-z].+\.$/);
});

test('the fourth modification of a task is refused (R-MOD-2)', () => {
  expect(checkModification(plan, request([block('2.1.1')]), { modificationsSoFar: 3, max: 3 })).toMatchObject({
    ok: false,
  });
  expect(checkModification(plan, request([block('2.1.1')]), { modificationsSoFar: 2, max: 3 })).toMatchObject({
    ok: true,
  });
});

function applied(type: ModificationRequest['type'], ids: readonly string[]): string {
  const asked = request(
    ids.map((id) => block(id)),
    type,
  );
  const decision = checkModification(plan, asked, LIMIT);
  const edited = applyModification(plan, asked, decision.ok ? decision.tasks : []);
  return edited.ok ? edited.plan.tasks.map((task) => `${task.checked ? 'x' : ' '}${task.id}`).join() : edited.reason;
}

test('the tasks of a split go right after the original, which stays open until it is recorded (R-MOD-3)', () => {
  expect(applied('SPLIT_TASK', ['2.1.1', '2.1.2'])).toBe(' 2.1, 2.1.1, 2.1.2, 2.2');
});

test('prerequisites go before the original, follow-ups after it, in their order (R-MOD-3)', () => {
  expect(applied('ADD_PREREQUISITE', ['2.1.1', '2.1.2'])).toBe(' 2.1.1, 2.1.2, 2.1, 2.2');
  expect(applied('ADD_FOLLOWUP', ['2.1.1', '2.1.2'])).toBe(' 2.1, 2.1.1, 2.1.2, 2.2');
});

test('a plan that holds the tasks already stays as it is, whatever else was added (R-MOD-3, R-ADV-2)', () => {
  const asked = request([block('2.1.1')]);
  const decision = checkModification(plan, asked, LIMIT);
  const tasks = decision.ok ? decision.tasks : [];
  const once = applyModification(plan, asked, tasks);
  const text = `${once.ok ? once.text : ''}\n${block('2.3')}\n`;
  expect(applyModification(parsePlan(text), asked, tasks)).toMatchObject({ ok: true, text });
});

test('proposed blocks with an indentation of their own are set in as the original stands', () => {
  const nested = parsePlan('- [ ] 1. A\n  - [ ] 1.1 B\n    - text\n  - [ ] 1.2 C\n');
  const asked = request([`      ${block('1.3').replaceAll('\n', '\n      ')}`], 'ADD_FOLLOWUP', '1.1');
  const decision = checkModification(nested, asked, LIMIT);
  const edited = applyModification(nested, asked, decision.ok ? decision.tasks : []);
  expect(edited.ok && edited.text).toContain('\n  - [ ] 1.3 Task 1.3\n    - **Do**:\n');
});

test('a plain checklist takes a proposed task without an id', () => {
  const plain = parsePlan('- [ ] Dark mode\n- [ ] Docs\n');
  const asked = request([block('').replace('[ ]  Task ', '[ ] Colours')], 'ADD_PREREQUISITE', 'dark-mode');
  const decision = checkModification(plain, asked, LIMIT);
  expect(decision).toMatchObject({ ok: true, tasks: [{ id: 'colours' }] });
});

test('a [VERIFY] task is not split away from its verifier, and a request brings at most 20 tasks (R-MOD-2)', () => {
  const plan = parsePlan(
    '- [ ] 1.1 [VERIFY] Check\n  - **Verify**: all checks pass\n- [ ] 1.2 B\n  - **Verify**: `true`\n',
  );
  const part = (id: string) =>
    `- [ ] ${id} Part\n  - **Do**: x\n  - **Files**: a\n  - **Done when**: y\n  - **Verify**: \`true\`\n  - **Commit**: \`feat: x\``;
  const decide = (originalTaskId: string, count: number) =>
    checkModification(
      plan,
      {
        type: 'SPLIT_TASK',
        originalTaskId,
        reasoning: '',
        proposedTasks: Array.from({ length: count }, (_, at) => part(`${originalTaskId}.${at + 1}`)),
      },
      { modificationsSoFar: 0, max: 3 },
    );
  expect(decide('1.1', 1)).toMatchObject({ ok: false, reason: expect.stringContaining('[VERIFY]') });
  expect(decide('1.2', 20)).toMatchObject({ ok: true });
  expect(decide('1.2', 21)).toMatchObject({ ok: false, reason: expect.stringContaining('at most 20') });
});
