/** The application as a library: open a project, look at its specs, run them. */
export type { CancelOptions } from './app/cancel.ts';
export type { Finding } from './app/doctor/finding.ts';
export type { Environment } from './app/host.ts';
export type { ProbeOptions } from './app/probe.ts';
export { openProject, type Project, type ProjectOptions, type Spec } from './app/project.ts';
export type { RunHandle, RunResult } from './app/run-handle.ts';
export type { RunEnd, Running } from './app/runs.ts';
export type { ListedSpec } from './app/specs.ts';
export type { StartOptions } from './app/start/order.ts';
export type { LiveStatus, SpecStatus } from './app/status.ts';
export type { HandedOverWork, StepOptions, StepOutcome } from './app/step.ts';
export type { Coverage, CoverageRow, CoveringTask, TaskProof } from './core/artifact/coverage.ts';
export type { Envelope, RunEvent } from './core/run/event.ts';
export { InterruptedError, StuckError, UserError } from './core/user-error.ts';
export type { Probed, ProbeResult } from './core/verify/probe.ts';
export type { AttemptEvidence, TaskEvidence } from './core/view/evidence.ts';
export { GitFault } from './ports/git.ts';
export { StorageFault } from './ports/store.ts';
