import { expect, test } from 'vitest';
import { chosenSchema, trackedFiles } from './tracked-files.ts';

test.each([
  ['schema: spec-driven\n', 'spec-driven'],
  ['name: x\r\nschema: "my-flow" # ours\r\n', 'my-flow'],
  ['created: 2026-01-01\nnested:\n  schema: other\n', undefined],
  ['schema: null\n', undefined],
  ['', undefined],
])('the schema that %j chooses is %j (R-DIA-3)', (text, schema) => {
  expect(chosenSchema(text)).toBe(schema);
});

const ARTIFACTS = `name: flow
artifacts:
  - id: proposal
    generates: proposal.md
  - id: tasks
    generates: 'work/*.md'
    instruction: |
      generates: nothing
  - id: other
    generates: other.md
`;

test.each([
  [`${ARTIFACTS}apply:\n  requires: [tasks]\n  tracks: tasks.md\n  instruction: |\n    tracks: x\n`, 'tasks.md'],
  [`${ARTIFACTS}apply:\n    # which file\n    tracks: "todo/list.md"\n`, 'todo/list.md'],
  [`${ARTIFACTS}apply:\n  requires: [tasks]\n  tracks: null\n`, 'work/*.md'],
  [`${ARTIFACTS}apply:\n  requires: [tasks]\nother:\n  tracks: y\n`, 'work/*.md'],
  [ARTIFACTS, 'work/*.md'],
  ['name: flow\nartifacts:\n  - generates: tasks.md\n    id: plan\n', undefined],
  ['tracks: tasks.md\n', undefined],
])('the files that a schema tracks tasks in: %j, %j (R-DIA-3)', (schema, files) => {
  expect(trackedFiles(schema)).toBe(files);
});
