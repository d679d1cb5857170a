import type { Sources } from '../../config/load.ts';
import type { Surroundings } from '../command.ts';

/** One call of `implement`, options and settings read. */
export interface ImplementInput extends Surroundings {
  /** The spec that was named; absent for the active one. */
  readonly spec?: string;
  /** Settings given on the command line. */
  readonly flags: NonNullable<Sources['flags']>;
  readonly options: {
    readonly dryRun: boolean;
    readonly json: boolean;
    readonly resetState: boolean;
    /** Trust this workspace's commands, now and later. */
    readonly trust: boolean;
  };
}
