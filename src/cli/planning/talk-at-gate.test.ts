import { expect, test } from 'vitest';
import { WaitingError } from '../../core/user-error.ts';
import { type GateMoves, talkAtGate } from './talk-at-gate.ts';

/** Talks with a person who types these lines and then nothing more; gives what was said and done. */
async function talk(lines: readonly string[], moves: Partial<GateMoves> = {}) {
  const said: string[] = [];
  const rest = [...lines];
  const decision = await talkAtGate(
    {
      ask: async (question) => {
        said.push(question.trim());
        return rest.shift() ?? '';
      },
      say: (line) => void said.push(line),
    },
    {
      summary: async () => ['3 lines'],
      approve: async () => void said.push('APPROVED'),
      edit: async () => void said.push('EDITED'),
      ...moves,
    },
  );
  return { decision, said };
}

test('an empty line and words that are no answer decide nothing, however often (R-GATE-1)', async () => {
  const { decision, said } = await talk(['', 'ok']);
  expect(decision).toEqual({ is: 'stopped' });
  expect(said.filter((line) => line.startsWith('Approve (a)'))).toHaveLength(3);
  expect(said).not.toContain('APPROVED');
});

test('an edited document is summed up again, then approved (R-GATE-1)', async () => {
  const { decision, said } = await talk(['e', 'a']);
  expect(decision).toEqual({ is: 'approved' });
  expect(said.filter((line) => !line.startsWith('Approve (a)'))).toEqual(['3 lines', 'EDITED', '3 lines', 'APPROVED']);
});

test('a change is taken with its words or asked for; without words nothing is decided (R-GATE-1, R-GATE-3)', async () => {
  expect((await talk(['change no OAuth'])).decision).toEqual({ is: 'change', feedback: 'no OAuth' });
  expect((await talk(['c', ' Name the codes. '])).decision).toEqual({ is: 'change', feedback: 'Name the codes.' });
  expect((await talk(['c', '', 'r'])).decision).toEqual({ is: 'review' });
});

test('what cannot be approved as it is gets its reason shown, and the person decides again (R-GATE-3)', async () => {
  const approve = async () => {
    throw new WaitingError('It has errors.', 'Correct them.');
  };
  const { decision, said } = await talk(['a', 's'], { approve });
  expect(decision).toEqual({ is: 'stopped' });
  expect(said).toEqual(expect.arrayContaining(['It has errors.', 'Correct them.']));
});
