import picomatch from 'picomatch';
import type { PlannedTask } from '../../core/plan/data/planned-task.ts';
import { LOCK_FILES } from '../../core/verify/lock-files.ts';

/** The changed paths that one of the globs protects; a folder protects all that is in it. */
export function protectedPaths(paths: readonly string[], globs: readonly string[]): readonly string[] {
  if (globs.length === 0) return [];
  const whole = globs.flatMap((glob) => [glob, `${glob.replace(/\/+$/, '')}/**`]);
  const matches = picomatch(whole, { dot: true });
  return paths.filter((path) => matches(path));
}

/** Which entries of *Files* none of the paths is, or is in. What leads out of the tree by its name is no entry of it. */
export function unmatched(files: readonly string[], paths: readonly string[]): readonly string[] {
  const known = new Set(paths.map((path) => path.replace(/\/$/, '')));
  return files
    .map((file) => file.replace(/^(\.\/)+/, ''))
    .filter((file) => file !== '' && file !== '.' && !file.startsWith('/') && !file.split('/').includes('..'))
    .filter(
      (file) =>
        !known.has(file.replace(/\/$/, '')) &&
        outOfScope(paths, { files: [file], filesKnown: true }).length === paths.length,
    );
}

/**
 * Which of the changed paths *Files* does not name: as a path, a folder or a glob. None if the task does not say its files.
 * Lock files change with the dependencies of a task, whatever its *Files* say (R-VER-6).
 */
export function outOfScope(
  paths: readonly string[],
  { files, filesKnown }: Pick<PlannedTask, 'files' | 'filesKnown'>,
): readonly string[] {
  if (!filesKnown || paths.length === 0) return [];
  const named = files.map((file) => file.replace(/^\.\//, ''));
  if (named.some((file) => file === '' || file === '.')) return [];
  const folders = named.map((file) => (file.endsWith('/') ? file : `${file}/`));
  const matches = picomatch(named.length > 0 ? [...named] : ['!**'], { dot: true });
  const isNamed = (path: string) =>
    named.includes(path) || folders.some((folder) => path.startsWith(folder)) || matches(path);
  return paths.filter((path) => !LOCK_FILES.has(path.slice(path.lastIndexOf('/') + 1)) && !isNamed(path));
}
