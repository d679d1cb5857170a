import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Phrases that a reader has to read twice, and what to write instead. */
const AVOID: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/, 'again'],
  [/\bwhoever\b/, 'the one that, or the caller'],
  [/\bstands? at\b/, 'is at'],
  [/\bwhere (a|the) spec stands\b/, 'the status of a spec'],
  [/\bof a person's\b/, 'of a person'],
  [/\bnobody\b/, 'no one'],
  [/\bgive yourself the right\b/, 'change its permissions'],
  [/\bput (that|this) right\b/, 'fix this'],
  [/\b(before|behind) or behind\b/, 'before or after'],
];

const PAGES = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) =>
    /^(README|CONTRIBUTING|STYLE|CHANGELOG|docs\/(guides|reference)\/.*)\.md$|^docs\/[a-z]+\.md$/.test(path),
  )
  .filter((path) => path !== 'docs/protocol.md');

test.each(PAGES)('%s uses plain words: an actor, a verb, the usual term', (path) => {
  const lines = readFileSync(path, 'utf8').split('\n');
  const found = lines.flatMap((line, at) =>
    AVOID.flatMap(([phrase, instead]) =>
      phrase.test(line.toLowerCase()) ? [`${path}:${at + 1}: write "${instead}" in: ${line}`] : [],
    ),
  );
  expect(found).toEqual([]);
});
