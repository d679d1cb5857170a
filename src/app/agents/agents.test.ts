import { expect, test } from 'vitest';
import { CLAUDE_CODE } from '../../adapters/agent/claude-code/claude-code.ts';
import { COMMAND } from '../../adapters/agent/command.ts';
import { defaults, type Settings, settingsFile } from '../../config/schema.ts';
import { agentExecutables } from '../trust/executables.ts';
import type { AgentSources } from './agent-choice.ts';
import { chooseAgents } from './agents.ts';

function sources(written: object, origins: AgentSources['origins'] = new Map()): AgentSources {
  const settings = settingsFile.parse({ ...defaults, ...written }) as Settings;
  return { settings, origins, cwd: '/work', root: '/work' };
}

const chosen = (written: object, origins?: AgentSources['origins']) => chooseAgents(sources(written, origins));

test('a name under agents: is an agent, a command or a known one with more; roles take such names (R-AGT-1, R-DEL-2)', () => {
  const agents = {
    mine: { command: './worker --deep', args: ['--more'], env: { MODE: 'x' } },
    cheap: { agent: 'claude', model: 'small', args: ['--max-turns', '7'], price: { input: 1, output: 2 } },
  };
  const origins = new Map([
    ['agents.mine.command', { from: 'user', file: '/home/u/.config/specloop/config.yaml', place: '1:1' }],
  ] as const);
  const { executor, verifier, reviewer } = chosen(
    { agent: 'mine', agents, roles: { reviewer: { agent: 'cheap' } } },
    origins,
  );
  expect(executor).toEqual({
    name: 'mine',
    kind: COMMAND,
    program: './worker',
    args: ['--deep', '--more'],
    env: { MODE: 'x' },
    base: '/home/u/.config/specloop',
  });
  expect(verifier).toEqual(executor);
  expect(reviewer).toMatchObject({
    name: 'cheap',
    kind: CLAUDE_CODE,
    program: 'claude',
    args: ['--max-turns', '7'],
    model: 'small',
    price: { input: 1, output: 2 },
  });
});

test('a known name may be redefined by itself only (R-AGT-1)', () => {
  const own = { agent: 'claude', agents: { claude: { agent: 'claude', args: ['--x'] } } };
  expect(chosen(own).executor).toMatchObject({ name: 'claude', kind: CLAUDE_CODE, args: ['--x'] });
  const other = { agent: 'claude', agents: { claude: { command: 'evil' } } };
  expect(() => chosen(other)).toThrow('agents.claude.command makes another agent of the known name "claude".');
});

test('an unknown name is refused, and the one that was meant is suggested (R-AGT-1)', () => {
  const agents = { mine: { command: 'worker' } };
  expect(() => chosen({ agent: 'clade' })).toThrow('There is no agent "clade". Did you mean "claude"?');
  expect(() => chosen({ agent: 'mime', agents })).toThrow('There is no agent "mime". Did you mean "mine"?');
  expect(() => chosen({ agent: 'x', agents: { x: { agent: 'mine' } } })).toThrow(
    'agents.x.agent: there is no known agent "mine".',
  );
});

test('the common model is for agents of the same kind that name none of their own, unless it was asked for (R-DEL-2)', () => {
  const agents = { cheap: { agent: 'claude', model: 'small' }, other: { command: 'worker' } };
  const modelOf = (written: object, origins?: AgentSources['origins']) =>
    chosen({ agents, ...written }, origins).reviewer?.model;
  expect(modelOf({ agent: 'claude', model: 'big' })).toBe('big');
  expect(modelOf({ agent: 'cheap', model: 'big' })).toBe('small');
  expect(modelOf({ agent: 'cheap', model: 'big' }, new Map([['model', { from: 'flag', flag: '--model' }]]))).toBe(
    'big',
  );
  expect(modelOf({ agent: 'other', model: 'big', roles: { reviewer: { agent: 'claude' } } })).toBeUndefined();
  expect(modelOf({ agent: 'other', roles: { reviewer: { agent: 'claude', model: 'own' } } })).toBe('own');
  expect(() => modelOf({ agent: 'claude', roles: { reviewer: { agent: 'other', model: 'own' } } })).toThrow(
    'roles.reviewer.model has no effect: the agent "other" is a command and runs as it is written.',
  );
});

test('the whole call of every agent is trusted, a known one as well: program, arguments and environment (R-SEC-1, R-AGT-1)', () => {
  const written = {
    agent: 'claude',
    agents: { theirs: { agent: 'claude', args: ['--settings', '{}'], env: { ANTHROPIC_BASE_URL: 'http://x' } } },
    roles: { reviewer: { agent: 'theirs' }, verifier: { command: ['check', 'a b'] } },
  };
  const from = sources(written);
  expect(agentExecutables(chooseAgents(from), from).map(({ from: where, command }) => [where, command])).toEqual([
    ['the agent', '["claude"]'],
    ['the agent of the verifier', '["check","a b"]'],
    ['the agent theirs of the reviewer', '["env","ANTHROPIC_BASE_URL=http://x","claude","--settings","{}"]'],
  ]);
  expect(agentExecutables({}, from)).toEqual([]);
});
