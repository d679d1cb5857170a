import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../json.ts';
import { updateStateFile } from './update.ts';

const written = `{
  "source": "plan",
  "phase": "tasks",
  "taskIndex": 0,
  "x-price": 1.50,
  "x-big": 12345678901234567890,
  "x-mine": { "deep": [1,  null, "ü"] }
}
`;

test('fields change in place, new ones come last, all else stays to the byte (R-FILE-4)', () => {
  expect(updateStateFile(written, { taskIndex: 3, phase: 'execution', totalTasks: 7 })).toBe(`{
  "source": "plan",
  "phase": "execution",
  "taskIndex": 3,
  "x-price": 1.50,
  "x-big": 12345678901234567890,
  "x-mine": { "deep": [1,  null, "ü"] },
  "totalTasks": 7
}
`);
});

test('what the older plugin wrote for itself stays to the byte, in its order (R-FILE-4)', () => {
  const own = [
    '"nativeTaskMap": {"0": "1", "10": "b",  "2": "c"}',
    '"nativeSyncEnabled": true',
    '"nativeSyncFailureCount": 0',
    '"granularity": "fine"',
    '"epicName": null',
    '"quickMode": false',
    '"relatedSpecs": [ {"name": "a", "score": 1e0} ]',
  ];
  const text = `{\n  "phase": "tasks",\n  ${own.join(',\n  ')},\n  "taskIndex": 0\n}\n`;
  const updated = updateStateFile(text, { phase: 'execution', taskIndex: 2 });
  expect(updated).toBe(text.replace('"tasks"', '"execution"').replace('"taskIndex": 0', '"taskIndex": 2'));
});

test('a file without a text is made with two blanks of indentation and a newline at its end', () => {
  expect(updateStateFile(undefined, { phase: 'execution', taskIndex: undefined, fixTaskMap: {} })).toBe(
    '{\n  "phase": "execution",\n  "fixTaskMap": {}\n}\n',
  );
});

test('an entry of a map keeps its unknown fields, and the map its other entries (R-FILE-4)', () => {
  const text = `{
    "fixTaskMap": {
        "9.9": {"attempts": 1.0, "note": "by hand"},
        "1.3": {
            "x-first": true,
            "attempts": 1,
            "fixTaskIds": ["1.3.1"],
            "x-last": 0.10
        }
    }
}`;
  const fields = {
    fixTaskMap: {
      '1.3': { attempts: 2, fixTaskIds: ['1.3.1', '1.3.2'], lastError: 'no' },
      '2.1': { attempts: 1, fixTaskIds: [] },
    },
  };
  expect(updateStateFile(text, fields)).toBe(`{
    "fixTaskMap": {
        "9.9": {"attempts": 1.0, "note": "by hand"},
        "1.3": {
            "x-first": true,
            "attempts": 2,
            "fixTaskIds": [
                "1.3.1",
                "1.3.2"
            ],
            "x-last": 0.10,
            "lastError": "no"
        },
        "2.1": {
            "attempts": 1,
            "fixTaskIds": []
        }
    }
}`);
});

test('the results of an earlier batch do not outlive it', () => {
  const text = '{"taskResults": {"0": {"status": "success"}}}';
  expect(updateStateFile(text, { taskResults: { 3: { status: 'pending' } } })).toBe(
    '{"taskResults": {"3":{"status":"pending"}}}',
  );
});

test('a value that is the same keeps its spelling', () => {
  const text = '{"taskIndex": 3.0, "parallelGroup": {"endIndex": 1e0,  "startIndex": 0}}';
  expect(updateStateFile(text, { taskIndex: 3, parallelGroup: { startIndex: 0, endIndex: 1 } })).toBe(text);
});

test.each([
  ['the first', 'a', '{ "b": 2,\n  "c": 3 }'],
  ['one in the middle', 'b', '{\n  "a": 1,\n  "c": 3 }'],
  ['the last', 'c', '{\n  "a": 1, "b": 2 }'],
])('%s of several fields is removed without a trace', (_which, key, left) => {
  expect(updateStateFile('{\n  "a": 1, "b": 2,\n  "c": 3 }', { [key]: undefined })).toBe(left);
});

test('removing all fields leaves an empty object, and fields come back indented', () => {
  const empty = updateStateFile('{\n  "a": 1\n}\n', { a: undefined });
  expect(empty).toBe('{}\n');
  expect(updateStateFile(empty, { b: { c: 1 } })).toBe('{\n  "b": {\n    "c": 1\n  }\n}\n');
});

test('CRLF line ends, tabs and a byte order mark are kept (R-FILE-5)', () => {
  expect(updateStateFile('\uFEFF{\r\n\t"a": 1\r\n}\r\n', { parallelGroup: { startIndex: 0 } })).toBe(
    '\uFEFF{\r\n\t"a": 1,\r\n\t"parallelGroup": {\r\n\t\t"startIndex": 0\r\n\t}\r\n}\r\n',
  );
});

test('a file on one line stays on one line', () => {
  expect(updateStateFile('{"a":1}', { b: [1, 2] })).toBe('{"a":1,"b":[1,2]}');
  expect(updateStateFile('{"a": 1}', { b: [1, 2] })).toBe('{"a": 1, "b": [1,2]}');
});

test('a field called __proto__ is a field like others', () => {
  const text = '{"__proto__": {"polluted": true}, "fixTaskMap": {"__proto__": {"x": 1}}}';
  const fields = { taskIndex: 1, fixTaskMap: JSON.parse('{"__proto__":{"attempts":1}}') as JsonValue };
  expect(updateStateFile(text, fields)).toBe(
    '{"__proto__": {"polluted": true}, "fixTaskMap": {"__proto__": {"x": 1, "attempts":1}}, "taskIndex": 1}'.replace(
      '"attempts":1',
      '"attempts": 1',
    ),
  );
  expect({}).not.toHaveProperty('polluted');
});

/** A document as people, `jq` and other tools may have written it, and how its unknown fields must read afterwards. */
const document = fc.record({
  fields: fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<JsonValue>, { maxKeys: 8 }),
  indent: fc.constantFrom(undefined, 1, 2, 4, '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  bom: fc.constantFrom('', '\uFEFF'),
  tail: fc.constantFrom('', '\n', '\r\n\r\n'),
});

const changes = fc.dictionary(
  fc.oneof(
    fc.constantFrom('phase', 'taskIndex', 'fixTaskMap', 'modificationMap', 'taskResults'),
    fc.string().filter((key) => key !== '__proto__'),
  ),
  fc.option(fc.jsonValue() as fc.Arbitrary<JsonValue>, { nil: undefined }),
  { maxKeys: 5 },
);

test('every update leaves unknown fields in value and order, and sets its own (R-FILE-4)', () => {
  fc.assert(
    fc.property(document, changes, ({ fields, indent, eol, bom, tail }, update) => {
      const text = bom + JSON.stringify(fields, undefined, indent).replaceAll('\n', eol) + tail;
      const after = updateStateFile(text, update);
      expect(after.startsWith(bom) && after.endsWith(tail)).toBe(true);
      const value = JSON.parse(after.slice(bom.length)) as Record<string, JsonValue>;
      const unknown = Object.keys(fields).filter((key) => !Object.hasOwn(update, key));
      expect(Object.keys(value).filter((key) => unknown.includes(key))).toEqual(unknown);
      expect(unknown.map((key) => JSON.stringify(value[key]))).toEqual(
        unknown.map((key) => JSON.stringify(fields[key])),
      );
      const whole = Object.entries(update).filter(([key]) => !key.endsWith('Map'));
      expect(whole.map(([key]) => JSON.stringify(value[key]))).toEqual(whole.map(([, set]) => JSON.stringify(set)));
    }),
    { numRuns: 1000 },
  );
});

const entries = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<JsonValue>));

test('every update of a map leaves its other entries and their unknown fields in value and order (R-FILE-4)', () => {
  fc.assert(
    fc.property(entries, entries, fc.constantFrom(undefined, 2), (before, update, indent) => {
      const text = JSON.stringify({ fixTaskMap: before }, undefined, indent);
      const after = JSON.parse(updateStateFile(text, { fixTaskMap: update })) as { fixTaskMap: typeof before };
      const merged = Object.fromEntries([
        ...Object.entries(before).map(([id, entry]) => [
          id,
          { ...entry, ...(Object.hasOwn(update, id) ? update[id] : {}) },
        ]),
        ...Object.entries(update).filter(([id]) => !Object.hasOwn(before, id)),
      ]);
      expect(JSON.stringify(after.fixTaskMap)).toBe(JSON.stringify(merged));
    }),
    { numRuns: 1000 },
  );
});

test('an update that sets what is there changes no byte (R-FILE-5)', () => {
  fc.assert(
    fc.property(document, ({ fields, indent, eol, bom, tail }) => {
      const text = bom + JSON.stringify(fields, undefined, indent).replaceAll('\n', eol) + tail;
      expect(updateStateFile(text, fields)).toBe(text);
    }),
  );
});
