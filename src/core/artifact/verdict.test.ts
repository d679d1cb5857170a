import { expect, test } from 'vitest';
import { readArtifact } from './artifact-text.ts';
import { advisesAgainst } from './verdict.ts';

test.each([
  ['## Verdict\n\n**Do not build this**: it is there already.\n', true],
  ["### 7. VERDICT:\nDon't build it.\n", true],
  ['## Verdict\nBuild it.\n\n## Sources\nDo not build this\n', false],
  ['## Summary\nDo not build this.\n', false],
  ['## Verdict\n```\nDo not build this\n```\n', false],
])('%j advises against the goal: %s (R-STOP-1)', (text, against) => {
  expect(advisesAgainst(readArtifact('research', 'research.md', text))).toBe(against);
});
