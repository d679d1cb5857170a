import { describe, expect, test } from 'vitest';
import { parseScript, stepsFor } from './scripted-agent-script.ts';

const say = (text: string) => [[{ print: text }]];

describe('which part of a script applies', () => {
  const keys = { 'verifier:1.1': say('a'), '1.1': say('b'), 'executor:*': say('c'), '*': say('d') };
  const spoken = (role: string, taskId: string) => stepsFor(keys, { role, taskId }, 1);

  test('the narrowest key counts', () => {
    expect(spoken('verifier', '1.1')).toEqual([{ print: 'a' }]);
    expect(spoken('executor', '1.1')).toEqual([{ print: 'b' }]);
    expect(spoken('executor', '1.2')).toEqual([{ print: 'c' }]);
    expect(spoken('verifier', '1.2')).toEqual([{ print: 'd' }]);
  });

  test('a reviewer only follows keys that name it: what is meant for the task would be no verdict', () => {
    expect(spoken('reviewer', '1.1')).toEqual([{ print: 'REVIEW_PASS\n' }]);
    expect(stepsFor({}, { role: 'planner', taskId: 'tasks' }, 1)).toEqual([{ print: 'DRAFT_COMPLETE\n' }]);
    expect(stepsFor({ 'reviewer:*': say('e') }, { role: 'reviewer', taskId: '1.1' }, 1)).toEqual([{ print: 'e' }]);
  });
});

describe('reading a script', () => {
  test('a script is read as it was written', () => {
    const script = { '1.1': [[{ write: { 'a.txt': 'a' } }, { exit: 1 }], [{ print: 'TASK_COMPLETE' }]] };
    expect(parseScript(JSON.stringify(script))).toEqual(script);
  });

  test.each([
    ['{"1.1": [[{"print": "a", "exit": 1}]]}', 'Step 0 of "1.1" must be one of'],
    ['{"1.1": [[{}]]}', 'Step 0 of "1.1" must be one of'],
    ['{"1.1": ["print"]}', 'Attempt 0 of "1.1" must be an object or a list.'],
    ['[]x', 'JSON'],
  ])('%s is refused', (json, message) => {
    expect(() => parseScript(json)).toThrow(message);
  });
});
