import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStateFile } from './parse.ts';

test('known fields are read, unknown ones may hold anything (R-FILE-4)', () => {
  const state = {
    source: { any: ['thing', null] },
    phase: 'execution',
    taskIndex: 3,
    totalTasks: 12,
    recoveryMode: true,
    fixTaskMap: { '1.3': { attempts: 2, fixTaskIds: ['1.3.1', '1.3.2'], lastError: 'no', 'x-more': 1 } },
    modificationMap: { '2.1': { count: 1, modifications: [{ id: '2.1-1', type: 'SPLIT_TASK', reason: 'big' }] } },
    parallelGroup: { startIndex: 3, endIndex: 4, taskIndices: [3, 4], isParallel: true },
    taskResults: { 3: { status: 'success' }, 4: { status: 'failed', error: 'no signal' } },
  };
  const { source: _unknown, ...known } = state;
  expect(parseStateFile(JSON.stringify(state))).toEqual({ ok: true, state: known });
});

test('null counts as missing, as the plugin writes it between batches', () => {
  expect(parseStateFile('{"parallelGroup": null, "taskResults": null, "taskIndex": null}')).toEqual({
    ok: true,
    state: {},
  });
});

test.each([
  ['', 'line 1, column 1: the text ends too early'],
  ['{ "phase": "execution", "taskIn', 'line 1, column 25: this text in quotes is broken or has no end'],
  ['{\n  "phase": "tasks"\n  "taskIndex": 1\n}', 'line 3, column 3: a comma or "}" is expected here'],
  ['{\n  "taskIndex": 1,\n}', 'line 3, column 1: a key in double quotes is expected here'],
  ['{"taskIndex": 01}', 'line 1, column 15: a value is expected here'],
  ['{"taskIndex": NaN}', 'line 1, column 15: a value is expected here'],
  ['{"taskIndex" 1}', 'line 1, column 14: a colon is expected here'],
  ['{"taskIndex": 1} x', 'line 1, column 18: there is something after the end of the value'],
  ['{"taskIndex": 1, "taskIndex": 2}', 'line 1, column 18: the field "taskIndex" stands twice in one object'],
  ['{"x": {"a": 1, "\\u0061": 2}}', 'line 1, column 16: the field "a" stands twice in one object'],
  ['{"x": "\t"}', 'line 1, column 7: this text in quotes is broken or has no end'],
  ['[]', 'it must hold a JSON object, and holds []'],
  ['null', 'it must hold a JSON object, and holds null'],
  ['{"taskIndex": -1}', '"taskIndex" must be a whole number from 0 to 10000000, and is -1'],
  ['{"taskIndex": 1.5}', '"taskIndex" must be a whole number from 0 to 10000000, and is 1.5'],
  ['{"totalTasks": "12"}', '"totalTasks" must be a whole number from 0 to 10000000, and is "12"'],
  ['{"maxTaskIterations": 1e9}', '"maxTaskIterations" must be a whole number from 0 to 10000000, and is 1000000000'],
  ['{"recoveryMode": "yes"}', '"recoveryMode" must be true or false, and is "yes"'],
  ['{"phase": 4}', '"phase" must be a text, and is 4'],
  ['{"fixTaskMap": []}', '"fixTaskMap" must be an object, and is []'],
  ['{"fixTaskMap": {"1.3": 2}}', '"fixTaskMap.1.3" must be an object, and is 2'],
  ['{"fixTaskMap": {"1.3": {"fixTaskIds": [1]}}}', '"fixTaskMap.1.3.fixTaskIds[0]" must be a text, and is 1'],
  ['{"taskResults": {"0": {"status": true}}}', '"taskResults.0.status" must be a text, and is true'],
])('a corrupt state is refused with what is wrong and where: %s (R-START-5)', (text, problem) => {
  expect(parseStateFile(text)).toEqual({ ok: false, problem });
});

test('a state that is too large or nested too deep is refused before it is looked at', () => {
  expect(parseStateFile(`{"x": "${'y'.repeat(1024 * 1024)}"}`)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('at most 1048576'),
  });
  expect(parseStateFile(`{"x": ${'['.repeat(200_000)}`)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('more than 100 deep'),
  });
});

test('a field called __proto__ gives no field to the state', () => {
  const parsed = parseStateFile('{"__proto__": {"taskIndex": 5}, "fixTaskMap": {"__proto__": {"attempts": 1}}}');
  expect(parsed).toMatchObject({ ok: true });
  expect(parsed.ok && Object.hasOwn(parsed.state, 'taskIndex')).toBe(false);
  expect(parsed.ok && parsed.state.taskIndex).toBeUndefined();
  expect({}).not.toHaveProperty('attempts');
});

test('it accepts what JSON.parse accepts and refuses what it refuses, doubled keys aside', () => {
  const json = fc.jsonValue().map((value) => JSON.stringify({ x: value }));
  const damaged = fc
    .tuple(json, fc.nat(), fc.constantFrom('', ',', '"', '}', '\\', '0', ' ', '\n', 'e', '-'))
    .map(([text, at, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1));
  fc.assert(
    fc.property(fc.oneof(json, damaged), (text) => {
      const parsed = parseStateFile(text);
      const isTwice = !parsed.ok && parsed.problem.includes('stands twice');
      const isNoObject = !parsed.ok && parsed.problem.includes('must hold a JSON object');
      expect(parsed.ok || isTwice || isNoObject).toBe(isJson(text));
    }),
    { numRuns: 3000 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('fields of planning of another type count as missing, since no run depends on them (R-PLAN-7, R-FILE-4)', () => {
  expect(parseStateFile('{"quickMode": true, "granularity": "fine", "epicName": "big"}')).toEqual({
    ok: true,
    state: { quickMode: true, granularity: 'fine', epicName: 'big' },
  });
  expect(parseStateFile('{"quickMode": "true", "granularity": 3, "epicName": null}')).toEqual({ ok: true, state: {} });
});
