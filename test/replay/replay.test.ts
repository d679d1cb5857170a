import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readJournal } from '../../src/adapters/store/journal.ts';
import type { RunState } from '../../src/core/run/data/state.ts';
import { evolve } from '../../src/core/run/evolve.ts';
import { sentence } from '../../src/core/view/sentences/sentence.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const journals = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));

test('there are journals of earlier versions', () => {
  expect(journals).toContain('0.1.0/tour.jsonl');
});

test.each(journals)(
  'a journal of an earlier version is read, folded and told as it was: %s (R-FILE-7)',
  async (name) => {
    const dir = mkdtempSync(join(tmpdir(), 'replay-'));
    try {
      const file = join(dir, 'journal.jsonl');
      copyFileSync(join(folder, name), file);
      const { envelopes, torn } = await readJournal(file);
      expect(torn).toBeUndefined();
      let state: RunState | undefined;
      for (const envelope of envelopes) {
        state = evolve(state, envelope.event);
        sentence(envelope, state); // Throws for what it has no words for.
      }
      expect({
        ended: state?.ended,
        tasks: state?.tasks.map(({ id, checked }) => `${id} ${checked ? 'done' : 'open'}`),
        attempts: state?.globalIteration,
        carried: state?.carried,
        reviews: [...(state?.reviews ?? [])],
        kept: [...(state?.kept.keys() ?? [])],
      }).toMatchSnapshot();
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
);
