export type { Agent, AgentOutcome, Brief } from '../ports/agent.ts';
export { MemoryClock } from './memory-clock.ts';
export { memoryFiles } from './memory-files.ts';
export { MemoryGit, type MemoryGitOptions } from './memory-git.ts';
export { type MemoryHands, memoryHands } from './memory-hands.ts';
export { memoryPictures } from './memory-pictures.ts';
export { memoryProcesses, type Performed } from './memory-processes.ts';
export {
  type MemoryCommit,
  type MemoryRefusal,
  MemoryRepository,
  type MemoryTree,
  type TreeTexts,
} from './memory-repository.ts';
export { type MemoryRun, type MemoryRunStore, MemoryRuns, type MemoryRunsOptions } from './memory-runs.ts';
export { putFile, removePath, type TreeFiles } from './memory-tree.ts';
export { type MemoryWorkspacesOrder, memoryWorkspaces } from './memory-workspaces.ts';
export * from './scripted-agent.ts';
export { type FakeStep, fakeAgent } from './scripted-agent-fake.ts';
