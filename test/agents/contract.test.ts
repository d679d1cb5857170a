import { afterEach, beforeEach } from 'vitest';
import { fakeAgent } from '../../src/testing/scripted-agent-fake.ts';
import { agentContract } from '../contracts/agent.ts';
import { AgentRig } from './rig.ts';

let rig: AgentRig;
beforeEach(() => {
  rig = new AgentRig();
});
afterEach(() => rig.close());

const brief: AgentRig['brief'] = (change) => rig.brief(change);

agentContract('a command', () => ({ brief, agent: (steps) => rig.scripted({ '*': [steps] }) }));
agentContract('Claude Code', () => ({ brief, agent: (steps) => rig.claude({ steps }) }));
agentContract('Codex', () => ({ brief, agent: (steps) => rig.codex({ steps }) }));
agentContract('Gemini CLI', () => ({ brief, agent: (steps) => rig.gemini({ steps }) }));
agentContract('opencode', () => ({ brief, agent: (steps) => rig.opencode({ steps }) }));
agentContract('an agent that speaks ACP', () => ({ brief, agent: (steps) => rig.acp({ steps }) }));
agentContract('the fake', () => ({ brief, agent: (steps) => fakeAgent({ '*': [steps] }) }));
