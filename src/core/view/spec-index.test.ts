import { expect, test } from 'vitest';
import { type IndexedSpec, indexJson, indexMarkdown } from './spec-index.ts';

const demo: IndexedSpec = {
  name: 'demo',
  path: 'specs/demo',
  state: 'completed',
  total: 3,
  done: 3,
  branch: 'feat/a|b',
  pullRequest: 'https://github.com/acme/app/pull/1',
};

test('the index lists each spec with its state, tasks, branch and pull request (R-ADV-3)', () => {
  const planned: IndexedSpec = {
    ...demo,
    name: 'next',
    path: 'specs/next',
    state: 'planning',
    total: null,
    done: null,
  };
  const text = indexMarkdown(undefined, [demo, { ...planned, branch: null, pullRequest: null }]);
  expect(text).toContain(
    '| [demo](../demo/) | completed | 3 of 3 | feat/a\\|b | <https://github.com/acme/app/pull/1> |',
  );
  expect(text).toContain('| [next](../next/) | planning |  |  |  |');
  expect(JSON.parse(indexJson([demo]))).toEqual({ v: 1, specs: [demo] });
});

test('what people write around it stays, and the same specs give the same bytes (R-ADV-3)', () => {
  const first = `Our specs.\n\n${indexMarkdown('', [])}\nThe end.\n`;
  const second = indexMarkdown(first, [demo]);
  expect(second.startsWith('Our specs.\n\n')).toBe(true);
  expect(second.endsWith('\nThe end.\n')).toBe(true);
  expect(indexMarkdown(second, [demo])).toBe(second);
});
