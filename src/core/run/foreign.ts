/** Files of ours beside any spec; they belong to nobody's work (R-FILE-8). */
const PRIVATE = /(^|\/)(\.current-spec|\.ralph-state\.json[^/]*|\.progress-task-\d+\.md)$/;

/** Whether a path is a private file that must not get into a commit; the active spec is a person's own matter. */
export function isPrivate(path: string): boolean {
  return PRIVATE.test(path) && !path.endsWith('.current-spec');
}

/** Files of a spec that the coordinator writes. */
const BOOKKEEPING = /^(tasks\.md|\.progress[^/]*\.md|\.ralph-state\.json[^/]*)$/;

/** The uncommitted paths that a run neither commits nor touches: all but what the coordinator writes itself (R-START-2). */
export function sparedPaths(paths: readonly string[], specPath: string): readonly string[] {
  const isOurs = (path: string) =>
    PRIVATE.test(path) || (path.startsWith(`${specPath}/`) && BOOKKEEPING.test(path.slice(specPath.length + 1)));
  return paths.filter((path) => !isOurs(path));
}

/** The uncommitted paths that are a person's own: neither of the spec that is run nor private files of ours (R-START-2). */
export function foreignPaths(paths: readonly string[], specPath: string): readonly string[] {
  return paths.filter((path) => !path.startsWith(`${specPath}/`) && !PRIVATE.test(path));
}
