import { expect, test } from 'vitest';
import { taskMarkdown as format } from '../plan/task-markdown.ts';
import { parseStateFile } from '../state-file/parse.ts';
import { startText } from './start-text.ts';
import type { StopFacts } from './stop.ts';

const facts: StopFacts = {
  input: { cwd: '/r', sessionId: 'a', isContinued: false, hasBackgroundTasks: false },
  spec: {
    name: 'demo',
    hasRepository: true,
    stateFile: 'specs/demo/.ralph-state.json',
    planFile: 'specs/demo/tasks.md',
    calls: { next: 'specloop next demo --session a --json', resetState: 'specloop implement demo --reset-state' },
  },
  state: parseStateFile('{"phase":"execution"}'),
  isQuick: false,
  plan: format.parse('- [x] 1.1 First\n- [ ] 1.2 Second\n'),
  isOlderPluginEnabled: false,
  memory: {},
};
const told = (more: Partial<StopFacts> = {}) => startText({ ...facts, ...more });
const noState = parseStateFile('{}');

test('a session that begins gets the active spec, its progress and the call (R-SES-7)', () => {
  expect(told()).toBe(
    'The active spec is demo: 1 of 2 tasks done, phase execution.\nThe next task is 1.2 Second.\nWhen the user wants to go on with it in this session, run: specloop next demo --session a --json',
  );
  expect(told({ state: noState })).toContain('1 of 2 tasks done.\n');
  expect(told({ spec: { ...facts.spec, hasRepository: false } })).toContain('"git init".\nWhen the user');
});

test('it gets the name of who drove the run last, if that was not itself (R-SES-7, R-SES-4)', () => {
  expect(told({ run: { id: 'r', driver: 'session:b', verdicts: 0 } })).toContain('last driven by the session b.');
  expect(told({ run: { id: 'r', driver: 'session:a', verdicts: 0 } })).not.toContain('driven');
});

test('it learns what a person has to do first: a corrupt state, a plan that cannot be read, an approval (R-SES-7)', () => {
  expect(told({ state: parseStateFile('{') })).toContain('specs/demo/.ralph-state.json cannot be read: ');
  expect(told({ plan: { problem: 'The plan is empty.' } })).toContain('The plan is empty.');
  expect(told({ state: parseStateFile('{"phase":"design","awaitingApproval":true}') })).toContain(
    'waits for the approval',
  );
});

test('a session gets the call for a spec that is being planned and has no plan yet (R-SES-7)', () => {
  const planning = { plan: { problem: 'The plan is missing.' }, state: parseStateFile('{"phase":"design"}') };
  expect(told(planning)).toBe(
    'The active spec is demo, phase design.\nWhen the user wants to go on with it in this session, run: specloop next demo --session a --json',
  );
  expect(told({ ...planning, isOlderPluginEnabled: true })).toBeUndefined();
});

test('of a spec that is over, and of one that is left to the older plugin, nothing is said (R-SES-7)', () => {
  expect(told({ state: noState, plan: format.parse('- [x] 1.1 First\n') })).toBeUndefined();
  expect(told({ isOlderPluginEnabled: true })).toBeUndefined();
});
