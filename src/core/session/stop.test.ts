import { expect, test } from 'vitest';
import { taskMarkdown as format } from '../plan/task-markdown.ts';
import { parseStateFile } from '../state-file/parse.ts';
import { decideStop, type StopDecision, type StopFacts } from './stop.ts';

const box = (id: string, { done = false, mark = '' } = {}) =>
  `- [${done ? 'x' : ' '}] ${id} ${mark}Do ${id}\n  - **Verify**: \`true\`\n`;
const planOf = (...boxes: readonly string[]) => format.parse(`# Tasks\n\n${boxes.join('')}`);
const three = planOf(box('1.1'), box('1.2'), box('1.3'));
const ticked = planOf(box('1.1', { done: true }), box('1.2', { done: true }), box('1.3', { done: true }));
const stateOf = (more: object = {}) =>
  parseStateFile(JSON.stringify({ phase: 'execution', taskIndex: 0, totalTasks: 3, ...more }));

const input = { cwd: '/r', sessionId: 'a', isContinued: false, hasBackgroundTasks: false };
const facts: StopFacts = {
  input,
  spec: {
    name: 'demo',
    hasRepository: true,
    stateFile: 'specs/demo/.ralph-state.json',
    planFile: 'specs/demo/tasks.md',
    calls: { next: 'specloop next demo --session a --json', resetState: 'specloop implement demo --reset-state' },
  },
  state: stateOf(),
  isQuick: false,
  plan: three,
  isOlderPluginEnabled: false,
  memory: {},
};
const run = { id: 'r1', driver: 'session:a', verdicts: 1 };
const decide = (more: Partial<StopFacts> = {}): StopDecision => decideStop({ ...facts, ...more });
const reasonOf = (decision: StopDecision) => (decision.do === 'block' ? decision.reason : '');
const again = { ...input, isContinued: true };
/** The memory after a block; none after silence. */
const after = (decision: StopDecision) => (decision.do === 'block' ? decision.remember : {});

test.each<[why: string, more: Partial<StopFacts>]>([
  ['another phase', { state: stateOf({ phase: 'tasks' }) }],
  ['no phase', { state: parseStateFile('{"taskIndex":0,"totalTasks":3}') }],
  ['a person has to approve', { state: stateOf({ awaitingApproval: true }) }],
  ['every task is ticked', { plan: ticked }],
  ['every task is ticked, and the index is past the end', { plan: ticked, state: stateOf({ taskIndex: 3 }) }],
  ['background tasks are at work', { input: { ...input, hasBackgroundTasks: true } }],
  ['another session drives the run', { run: { ...run, driver: 'session:b' } }],
  ['a session without an id cannot be the driver', { run, input: { isContinued: false, hasBackgroundTasks: false } }],
  ['the run is headless', { run: { id: 'r1', verdicts: 0 } }],
  ['a program drives the run', { run: { ...run, driver: 'ci' } }],
  ['the run is stuck', { run: { ...run, ended: 'stuck' } }],
  ['the run is at a limit', { run: { ...run, ended: 'limit' } }],
  ['the run was cancelled', { run: { ...run, ended: 'interrupted' } }],
  ['the older plugin is enabled, and there is no run', { isOlderPluginEnabled: true }],
  ['the older plugin is enabled, and the state is corrupt', { isOlderPluginEnabled: true, state: parseStateFile('{') }],
  ['the run of the state belongs to another session', { memory: { owner: { session: 'b', run: 'none' } } }],
  [
    'a run without an id belongs to another session',
    {
      run: { ...run, driver: 'session' },
      memory: { owner: { session: 'b', run: 'r1' } },
    },
  ],
  ['the hook blocked before, but not this session', { input: again }],
  ['a plan that is missing, done by the numbers', { plan: { problem: 'No plan.' }, state: stateOf({ taskIndex: 3 }) }],
  ['the session was told of the corrupt state', { state: parseStateFile('{'), memory: { isCorruptTold: true } }],
])('the session may end: %s (R-SES-5)', (_, more) => {
  expect(decide(more)).toEqual({ do: 'nothing' });
});

test.each<[why: string, more: Partial<StopFacts>]>([
  ['no run', {}],
  ['its own run', { run }],
  ['its own run, with the older plugin enabled', { run, isOlderPluginEnabled: true }],
  ['a run that is complete, before a new state', { run: { id: 'r1', verdicts: 3, ended: 'completed' } }],
  ['a run of a session without an id', { run: { ...run, driver: 'session' } }],
  [
    'an owner of an earlier run',
    { run: { ...run, driver: 'session' }, memory: { owner: { session: 'b', run: 'r0' } } },
  ],
])('the session goes on while tasks are open: %s (R-SES-5)', (_, more) => {
  expect(reasonOf(decide(more))).toMatch(/^Continue spec: demo \(1\/3\)\n/);
});

test('the reason holds the position, the block, and the call to make; the plan knows better than the index (R-SES-5)', () => {
  const reason = reasonOf(decide({ plan: planOf(box('1.1', { done: true }), box('1.2'), box('1.3')) }));
  expect(reason).toMatch(/^Continue spec: demo \(2\/3\)\n/);
  expect(reason).toContain(box('1.2').trimEnd());
  expect(reason).not.toContain('Do 1.3');
  expect(reason).toContain('Run: specloop next demo --session a --json\n');
});

test('of a group the open tasks are named, and no further one (R-SES-5)', () => {
  const member = (id: string, done = false) => box(id, { mark: '[P] ', done });
  const plan = planOf(member('1.1'), member('1.2', true), member('1.3'), box('1.4'), member('1.5'));
  const reason = reasonOf(decide({ plan }));
  expect(reason.match(/Do 1\.\d/g)).toEqual(['Do 1.1', 'Do 1.3']);
});

test('the index is past the end while boxes are open: the text says how many (R-SES-5)', () => {
  const plan = planOf(box('1.1', { done: true }), box('1.2'), box('1.3'));
  expect(reasonOf(decide({ plan, state: stateOf({ taskIndex: 3 }) }))).toContain('but 2 tasks are open');
});

test('a plan that cannot be read is judged by the numbers of the state, and the text says what is wrong with it (R-SES-5, R-PARSE-6)', () => {
  const reason = reasonOf(decide({ plan: { problem: 'The plan is empty.' }, state: stateOf({ taskIndex: 1 }) }));
  expect(reason).toMatch(/^Continue spec: demo \(2\/3\)\n/);
  expect(reason).toContain('The plan is empty.');
});

test('the global limit lets the session end, and is named (R-SES-5)', () => {
  const { do: what, ...rest } = decide({ state: stateOf({ globalIteration: 7, maxGlobalIterations: 7 }) });
  expect([what, JSON.stringify(rest)]).toEqual(['nothing', expect.stringContaining('limit of 7 iterations')]);
  expect(decide({ state: stateOf({ globalIteration: 100 }) }).do).toBe('nothing');
  expect(decide({ state: stateOf({ globalIteration: 99 }) }).do).toBe('block');
});

test('a corrupt state is reported with its path and the ways out, once to each session (R-SES-5, R-START-5)', () => {
  const state = parseStateFile('{ "phase": ');
  const told = decide({ state, input: again });
  expect(reasonOf(told)).toContain('specs/demo/.ralph-state.json');
  expect(reasonOf(told)).toContain('"specloop implement demo --reset-state"');
  expect(decide({ state, memory: after(told) }).do).toBe('nothing');
});

test('a session that goes on is blocked again once a verdict was recorded (R-SES-5)', () => {
  const memory = after(decide({ run }));
  expect(decide({ run, memory, input: again }).do).toBe('nothing');
  expect(decide({ run, memory }).do).toBe('block');
  expect(decide({ run: { ...run, verdicts: 2 }, memory, input: again }).do).toBe('block');
});

test.each<[what: string, more: Partial<StopFacts>]>([
  ['the index', { state: stateOf({ taskIndex: 1 }) }],
  ['a counter', { state: stateOf({ taskIteration: 2 }) }],
  ['the global counter', { state: stateOf({ globalIteration: 2 }) }],
  ['a box', { plan: planOf(box('1.1', { done: true }), box('1.2'), box('1.3')) }],
])('with a state of another tool the session is blocked again once it advanced: %s (R-SES-5)', (_, more) => {
  const memory = after(decide());
  expect(decide({ memory, input: again }).do).toBe('nothing');
  expect(decide({ memory, input: again, ...more }).do).toBe('block');
});

test('a run without a session belongs to the first one that was blocked (R-SES-5)', () => {
  const { owner } = after(decide());
  const of = (sessionId: string) => decide({ memory: { ...(owner && { owner }) }, input: { ...input, sessionId } }).do;
  expect([of('b'), of('a')]).toEqual(['nothing', 'block']);
  expect(after(decide({ run })).owner).toBeUndefined();
});

test('what the session says ends nothing while tasks are open, and is contradicted (R-SES-6, R-DEL-4)', () => {
  const said = (lastMessage: string) => reasonOf(decide({ input: { ...input, lastMessage } }));
  expect(said('All done.\n\n**ALL_TASKS_COMPLETE**\n')).toContain('but 3 tasks are open');
  expect(said('I did not print ALL_TASKS_COMPLETE.')).not.toContain('You said');
});

test('in quick mode a planning phase goes on, once per step that advanced (R-SES-6)', () => {
  const plan = { problem: 'No plan.' };
  const at = (phase: string, more: Partial<StopFacts> = {}) =>
    decide({ plan, isQuick: true, state: stateOf({ phase, totalTasks: 0 }), ...more });
  const first = at('research');
  expect(reasonOf(first)).toMatch(/^Continue spec: demo \(phase research\)\n/);
  const memory = after(first);
  expect(at('research', { memory, input: again }).do).toBe('nothing');
  expect(at('design', { memory, input: again }).do).toBe('block');
  expect([at('paused').do, at('design', { isQuick: false }).do]).toEqual(['nothing', 'nothing']);
  expect(reasonOf(first)).not.toContain('Run: ');
});

test('a session that plans with specloop in quick mode gets the call, between two runs too; a process is left alone (R-SES-6)', () => {
  const plan = { problem: 'No plan.' };
  const planning = { ...run, isPlanning: true } as const;
  const at = (more: Partial<StopFacts>) =>
    decide({ plan, isQuick: true, state: stateOf({ phase: 'design', totalTasks: 0 }), ...more });
  const first = at({ run: planning });
  expect(reasonOf(first)).toContain('Run: specloop next demo --session a --json');
  const memory = after(first);
  expect(at({ run: planning, memory, input: again }).do).toBe('nothing');
  expect(at({ run: { ...planning, verdicts: 2 }, memory, input: again }).do).toBe('block');
  expect(at({ run: { ...planning, ended: 'completed' } }).do).toBe('block');
  expect(at({ run: { id: 'r1', verdicts: 1, isPlanning: true, ended: 'completed' } }).do).toBe('nothing');
  expect(at({ run: { ...planning, ended: 'waiting' } }).do).toBe('nothing');
});

test('texts of the repository are harmless for a terminal (R-SES-5, R-SEC-2)', () => {
  const plan = format.parse('- [ ] 1.1 Do \u001b[2Jit\u202e\n');
  expect(reasonOf(decide({ plan }))).toContain('Do it<U+202E>');
});

test('where there is no repository, what to do before the call is said: it would be refused (R-SES-5)', () => {
  const outside = { spec: { ...facts.spec, hasRepository: false } };
  expect(reasonOf(decide(outside))).toContain('"git init".\n\nRun: specloop next demo');
  expect(reasonOf(decide({ ...outside, state: parseStateFile('{') }))).toContain('"git init"');
  expect(reasonOf(decide())).not.toContain('git init');
});
