import { expect, test } from 'vitest';
import { readQuestions } from './questions.ts';

const DATABASE = {
  id: 'database',
  ask: 'Which database?',
  why: 'The schema depends on it.',
  changes: 'design',
  kind: 'decision',
  options: [
    { label: 'SQLite', consequence: 'one file' },
    { label: 'Postgres', consequence: 'a server' },
  ],
  recommended: 'SQLite',
};
const { options: _options, recommended: _recommended, ...PLAIN } = DATABASE;
const asked = (value: unknown) => `I have to know.\n\nQUESTIONS\n${JSON.stringify(value)}\n`;

test.each([
  ['bare', asked([DATABASE])],
  ['in a fence', `QUESTIONS\n\n\`\`\`json\n${JSON.stringify([DATABASE], null, 2)}\n\`\`\`\n`],
  [
    'with emphasis and words after the list',
    `**QUESTIONS**\n${JSON.stringify([DATABASE])}\n\nThat is all.\n\nDRAFT_COMPLETE`,
  ],
])('a list of questions is read after its word: %s (R-ASK-1)', (_how, answer) => {
  expect(readQuestions(answer)).toEqual([DATABASE]);
});

test.each(['I have no QUESTIONS\n[]', '```\nQUESTIONS\n[]\n```', '> QUESTIONS\n> []', 'DRAFT_COMPLETE'])(
  'the word counts only alone on its line, where its author speaks: %j (R-ASK-1)',
  (answer) => {
    expect(readQuestions(answer)).toBeUndefined();
  },
);

test.each([
  ['QUESTIONS\nWhich database?', 'no JSON list'],
  ['QUESTIONS\n[{"id": "a"', 'is no JSON list'],
  [asked([]), 'is empty'],
  [asked([PLAIN, 'Which?']), 'entry 2 of the list: it is no object'],
  [asked([PLAIN, PLAIN]), 'its id "database" is used twice'],
  [asked([{ ...PLAIN, id: 'a b' }]), 'its "id"'],
  [asked([{ ...PLAIN, ask: ' ' }]), 'its "ask"'],
  [asked([{ ...PLAIN, why: 3 }]), 'its "why"'],
  [asked([{ ...PLAIN, changes: 'mood' }]), 'its "changes" is none of scope, behaviour, design, cost'],
  [asked([{ ...PLAIN, kind: 'guess' }]), 'its "kind" is none of decision, fact'],
  [asked([{ ...PLAIN, options: [{ label: 'a', consequence: 'b' }] }]), 'its "options" are no list of 2 to 4'],
  [asked([{ ...DATABASE, options: [{ label: 'a' }, { label: 'b' }] }]), 'no "consequence"'],
  [asked([{ ...DATABASE, recommended: 'MySQL' }]), 'its "recommended" is not the label of an option'],
  [asked(Array.from({ length: 70 }, (_, at) => ({ ...PLAIN, id: `q${at}`, why: 'x'.repeat(1_000) }))), '64 KiB'],
])('a list that is not of this form asks no one, and says why: %j (R-ASK-1)', (answer, why) => {
  expect(readQuestions(answer)).toEqual({ malformed: expect.stringContaining(why) });
});
