import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addHooks, hookCommands, removeHooks } from './hook-settings.ts';

const group = (word: string) => ({ hooks: [{ type: 'command', command: `specloop hook ${word}`, timeout: 10 }] });
const OURS = { SessionStart: [group('session-start')], Stop: [group('stop')] };
const isOurs = (command: string) => command.includes('specloop hook ');
const COMMANDS = [
  ['SessionStart', 'specloop hook session-start'],
  ['Stop', 'specloop hook stop'],
];
const theirs = '{ "hooks": [{ "type": "command", "command": "mine" }] }';

const TEXTS: readonly string[] = [
  '{}',
  ' { } \n',
  '\uFEFF{"a":1}',
  '{\n  "model": "m",\n  "hooks": {}\n}\n',
  '{\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}',
  `{"hooks":{"Stop":[${theirs}],"Other":[]}}`,
  `{\n  "hooks": {\n    "Stop": [\n      ${theirs}\n    ]\n  },\n  "b": 1.0e2\n}\n`,
];

test.each(TEXTS)('what was put into %j comes out again, to the byte (R-SES-8)', (text) => {
  const added = addHooks(text, OURS);
  expect([...hookCommands(added.text)].sort()).toEqual(
    [...COMMANDS, ...(text.includes('mine') ? [['Stop', 'mine']] : [])].sort(),
  );
  expect(removeHooks(added.text, added.pieces, isOurs)).toBe(text);
});

test('a file that was made for the hooks is empty without them (R-SES-8)', () => {
  const { text, pieces } = addHooks(undefined, OURS);
  expect(JSON.parse(text)).toEqual({ hooks: OURS });
  expect(removeHooks(text, pieces, isOurs)).toBe('');
});

describe('where the user changed the file meanwhile, only our hooks go (R-SES-8)', () => {
  test.each([
    [
      'a hook after ours in a list that was empty',
      '{"hooks":{"Stop":[]}}',
      (text: string) => text.replace(/\]\}\]/, `]}, ${theirs}]`),
    ],
    ['a hook before ours', '{"hooks":{}}', (text: string) => text.replace('"Stop": [', `"Stop": [${theirs}, `)],
    [
      'a hook in our group',
      '{}',
      (text: string) => text.replace('"Stop": [{"hooks":[', '"Stop": [{"hooks":[{ "command": "mine" }, '),
    ],
    [
      'another form',
      '{"a": 1}',
      (text: string) => `${JSON.stringify({ ...JSON.parse(text), mine: 1 }, undefined, 4)}\n`,
    ],
  ] as const)('%s', (_what, before, change) => {
    const added = addHooks(before, OURS);
    const changed = change(added.text);
    expect(changed).not.toBe(added.text);
    const left = removeHooks(changed, added.pieces, isOurs);
    expect(hookCommands(left)).toEqual(hookCommands(changed).filter(([, command]) => !isOurs(command)));
    expect(left.includes('mine')).toBe(true);
  });

  test('a byte elsewhere, of which nothing is lost', () => {
    const added = addHooks('{"a": [1],\n "hooks": {}}', OURS);
    expect(removeHooks(added.text.replace('[1]', '[1, 2 ]'), added.pieces, isOurs)).toBe(
      '{"a": [1, 2 ],\n "hooks": {}}',
    );
  });
});

test.each([
  ['', 'the text ends too early'],
  ['[]', 'the file is no JSON object'],
  ['{"hooks": 1}', '"hooks" is no JSON object'],
  ['{"hooks": {"Stop": {}}}', '"hooks" has a value for "Stop" that is no list'],
  ['{"a": 1', 'the text ends too early'],
])('a settings file that is broken is refused: %j (R-SES-8)', (text, problem) => {
  expect(() => addHooks(text, OURS)).toThrow(problem);
});

test('of any settings, whatever their form, nothing is lost (R-SES-8)', () => {
  const hooks = fc.dictionary(
    fc.constantFrom('Stop', 'SessionStart', 'Other'),
    fc.array(fc.constant(JSON.parse(theirs))),
  );
  const settings = fc.record({ hooks, more: fc.jsonValue() }, { requiredKeys: [] });
  fc.assert(
    fc.property(settings, fc.constantFrom(undefined, 1, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const added = addHooks(text, OURS);
      expect(removeHooks(added.text, added.pieces, isOurs)).toBe(text);
      expect(JSON.parse(removeHooks(added.text, [], isOurs)).more).toEqual(JSON.parse(text).more);
    }),
  );
});
