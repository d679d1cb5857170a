/**
 * How a run ended (R-UX-4). `stuck`: a task could not be completed. `limit`: a limit of the run was reached.
 * `waiting`: a person has to decide. `abandoned`: the branch went another way, so the run can't go on.
 */
export type Outcome = 'completed' | 'stuck' | 'limit' | 'waiting' | 'abandoned';
