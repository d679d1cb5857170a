/** Absolute paths that no repository lies at; another one may be that of this repository. */
const OF_THE_SYSTEM = /^\/(?:etc|usr|bin|sbin|var|root|boot|dev|proc|sys|lib\d*|opt|Library|System)\//;
const OF_THE_USER = /^(?:~|\$\{?HOME\b)/;

/**
 * Whether a path of *Files* leads out of the repository, or into git's own folder: no work there can be committed, and no
 * task should be asked to change it. Paths that only begin with two dots in a name, as `..config`, do not.
 */
export function leadsOutside(path: string): boolean {
  if (OF_THE_SYSTEM.test(`${path}/`) || OF_THE_USER.test(path)) return true;
  if (path.startsWith('/')) return false;
  let depth = 0;
  for (const part of path.split(/[/\\]/)) {
    if (part.toLowerCase() === '.git') return true;
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
