import type { Sources } from '../../config/load.ts';
import type { Envelope } from '../../core/run/event.ts';
import type { RunState } from '../../core/run/state.ts';
import type { StopSignal } from '../../core/run/stop-signal.ts';
import type { AfterKilledRun } from '../../engine/after-killed-run.ts';
import type { Surroundings } from '../command.ts';

/** One call of `implement`, options and settings read. */
export interface ImplementInput extends Surroundings {
  /** The spec that was named; absent for the active one. */
  readonly spec?: string;
  /** Settings given on the command line. */
  readonly flags: NonNullable<Sources['flags']>;
  /** Called with every event once it is written down; what it throws is told, and it is not called again. */
  readonly watch?: (envelope: Envelope, state: RunState) => void;
  /** What killed runs had left, and was put right before anything was looked at. */
  readonly killed?: AfterKilledRun;
  /** Connects whatever may ask the run to stop; `endAll` ends all it started at once. */
  readonly onStop: (stop: (signal: StopSignal) => void, endAll: () => Promise<void>) => void;
  readonly options: {
    readonly dryRun: boolean;
    readonly json: boolean;
    readonly resetState: boolean;
    /** Trust this workspace's commands, now and later. */
    readonly trust: boolean;
    /** Run in a worktree of the spec's own, which is made if it is missing. */
    readonly worktree: boolean;
  };
}
