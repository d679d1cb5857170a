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
