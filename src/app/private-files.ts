/** What keeps the private files of a spec out of commits, as patterns of git (R-FILE-8). */
export const PRIVATE_PATTERNS: readonly string[] = [
  '.ralph-state.json*',
  '.progress-task-*.md',
  '.current-spec',
  '*.specloop-tmp',
];
