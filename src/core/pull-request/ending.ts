/** How the lifecycle ends the run. */
export interface PullRequestEnding {
  readonly result: 'completed' | 'stuck' | 'limit' | 'waiting';
  readonly reason: string;
}
