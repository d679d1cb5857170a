import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { UserError } from '../core/user-error.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The home folder: `HOME` if it is an absolute path, as a relative one would let a repository choose it; else that of
 * the user's account. `undefined` if there is neither, as for a user id without an account.
 */
export function homeFolder({ HOME: home }: Variables): string | undefined {
  if (home !== undefined && isAbsolute(home)) return home;
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : undefined;
  } catch {
    return undefined;
  }
}

/** The same, for what cannot be kept without one; `variable` names the folder that would do instead. Throws `UserError`. */
export function requireHome(env: Variables, variable: 'XDG_STATE_HOME' | 'XDG_CACHE_HOME'): string {
  const other = env[variable];
  const home = homeFolder(env);
  if (home !== undefined) return home;
  if (other !== undefined && isAbsolute(other)) return '/';
  throw new UserError(
    'HOME is not set, and this user has no home folder.',
    `Set HOME or ${variable} to a folder that you can write, then run the command again.`,
  );
}
