import type { Drafted } from '../../core/plan/data/step.ts';

/** A phase that a command runs. */
export interface PhaseCall {
  readonly artifact: Drafted;
  readonly feedback?: string;
  readonly reviewsFirst?: boolean;
  /** The goal of a new spec. */
  readonly goal?: string;
  /** Brings a new spec about. */
  readonly make?: () => Promise<void>;
}
