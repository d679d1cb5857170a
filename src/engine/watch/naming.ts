import type { IsNamed } from '../../core/watch/compare.ts';
import { outOfScope } from './scope.ts';

/** Whether *Files* of tasks name a path (R-VER-14). Those that take in everything name nothing of git's own folder, nor our settings. */
export function naming(files: readonly string[]): IsNamed {
  const exact = files.filter((file) => !/^[.*/]*$/.test(file));
  const inGit = exact.filter((file) => file.replace(/^\.\//, '').startsWith('.git/'));
  return (path) =>
    outOfScope([path], { files: path.startsWith('.git/') ? inGit : exact, filesKnown: true }).length === 0;
}
