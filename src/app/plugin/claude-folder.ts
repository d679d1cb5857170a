import { isAbsolute, join } from 'node:path';
import { homeFolder } from '../home-folder.ts';
import type { Environment } from '../host.ts';

/** Where Claude Code keeps what is the user's; `undefined` without a home folder. */
export function claudeFolder(env: Environment): string | undefined {
  const home = homeFolder(env);
  return chosenFolder(env.CLAUDE_CONFIG_DIR) ?? (home && join(home, '.claude'));
}

/** A folder that a variable of the user's names; a relative path would let a repository choose it. */
export function chosenFolder(given: string | undefined): string | undefined {
  return given !== undefined && isAbsolute(given) ? given : undefined;
}
