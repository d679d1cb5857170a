/** The pure functions, for your own screens and tools: read plans, fold journals, decide, and put into words. */
export { DEFAULT_ADMISSIONS } from './answer/contradiction.ts';
export { buildBrief } from './brief/brief.ts';
export type { BriefInput } from './brief/input.ts';
export { type PlannedTask, planned } from './plan/data/planned-task.ts';
export type { Group, Plan, Problem, Task } from './plan/data/task.ts';
export { parsePlan } from './plan/read/parse.ts';
export { defaultPolicy, type Policy } from './policy.ts';
export { batchFrom } from './run/batch.ts';
export type { Effect } from './run/data/effect.ts';
export type { Envelope, RunEvent } from './run/data/event.ts';
export type { Outcome } from './run/data/outcome.ts';
export type { RunState, TaskProgress } from './run/data/state.ts';
export { evolve, fold } from './run/evolve.ts';
export { type AnswerVerdict, judgeAnswer } from './run/judge-answer.ts';
export { next } from './run/next.ts';
export type { Evidence, VerifyRun } from './verify/evidence.ts';
export { judge, type Verdict } from './verify/judge.ts';
export { sentence } from './view/sentences/sentence.ts';
