export type { Agent, AgentOutcome, Brief } from '../ports/agent.ts';
export * from './scripted-agent.ts';
export { type FakeStep, fakeAgent } from './scripted-agent-fake.ts';
