import { isAbsolute, join } from 'node:path';

/** What is kept with the user, not in a repository: below `XDG_STATE_HOME` if that is an absolute path, else below `~/.local/state`. */
export function userStateFolder(variables: Readonly<Record<string, string | undefined>>, home: string): string {
  const given = variables.XDG_STATE_HOME ?? '';
  return join(isAbsolute(given) ? given : join(home, '.local', 'state'), 'specloop');
}
