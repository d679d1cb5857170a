/** Something a person has to put right before a run can begin or go on. Never shown with a stack trace. */
export class UserError extends Error {
  /** What to do about it. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'UserError';
    this.hint = hint;
  }
}

/** The same for a run that has begun: it is stuck, and can be resumed once that is done (R-UX-4). */
export class StuckError extends UserError {}

/** A person who stopped a command, as by Ctrl-C, before anything began (R-UX-4). */
export class InterruptedError extends UserError {}

/** A person has to decide before it goes on: no mistake, and nothing was begun (R-UX-4). */
export class WaitingError extends UserError {}
