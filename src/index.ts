/** The application as a library: open a project, look at its specs, run them. */

export type { Finding } from './app/doctor/finding.ts';
export type { Environment } from './app/host.ts';
export { openProject, type Project, type ProjectOptions, type Spec } from './app/project.ts';
export type { CancelOptions } from './app/run/cancel.ts';
export type { RunHandle, RunResult } from './app/run/run-handle.ts';
export type { RunEnd, Running } from './app/run/runs.ts';
export type { HandedOverWork, StepOptions, StepOutcome } from './app/run/step.ts';
export type { ListedSpec } from './app/spec/specs.ts';
export type { LiveStatus, SpecStatus } from './app/spec/status.ts';
export type { StartOptions } from './app/start/order.ts';
export type { ProbeOptions } from './app/validate/probe.ts';
export type { Question } from './core/answer/questions.ts';
export type { Coverage, CoverageRow, CoveringTask, TaskProof } from './core/artifact/coverage.ts';
export type { Envelope, RunEvent } from './core/run/data/event.ts';
export type { AskedQuestion } from './core/run/questions.ts';
export { InterruptedError, StuckError, UserError } from './core/user-error.ts';
export type { Probed, ProbeResult } from './core/verify/probe.ts';
export type { AttemptEvidence, TaskEvidence } from './core/view/record/evidence.ts';
export { GitFault } from './ports/git.ts';
export { StorageFault } from './ports/store.ts';
