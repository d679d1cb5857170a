/** What was made or is named by *Files*, and can be in no commit of this repository (R-VER-13). */
export interface Unrecordable {
  readonly path: string;
  /**
   * `repository`: it is, or is in, a git repository of its own. `link`: it is, or is reached through, a link out of the
   * tree. `link-to-ignored`: through a link to what git ignores. `special-file`: a pipe, socket or device.
   */
  readonly why: 'ignored' | 'repository' | 'link' | 'link-to-ignored' | 'submodule' | 'empty-folder' | 'special-file';
  /** The rule that ignores it, as `.gitignore:3`; the repository, link or submodule that it is in; where a link leads; else the path. */
  readonly by: string;
}

/** The reason in words: what is wrong, and what to do. */
export function unrecordableText({ path, why, by }: Unrecordable): string {
  switch (why) {
    case 'ignored':
      return `${path} is ignored by git (${by}), so it would not be in the commit. Change the ignore rules if it should be, or write the work to a file that is not ignored.`;
    case 'repository':
      return `${by} is a git repository of its own, so its files would not be in a commit of this repository. Remove ${by}/.git and keep the files.`;
    case 'link':
      return path === by
        ? `${path} is a link that leads outside the repository, so its target would not be in the commit. Put the files themselves there.`
        : `${path} is reached through ${by}, a link that leads outside the repository, so it would not be in the commit. Put the files themselves there.`;
    case 'link-to-ignored':
      return `${path} leads to ${by}, which git ignores, so it would not be in the commit. Put the files themselves at ${path}.`;
    case 'empty-folder':
      return `${path} is a folder without files, and git records only files. Add what the task asks for, or a file such as .gitkeep.`;
    case 'special-file':
      return `${path} is a pipe, a socket or a device, which git does not record. Let the command create it when it needs it, or write a file.`;
    case 'submodule':
      return `${path} is in the submodule ${by} and not committed there, so it would not be in the commit. Commit it in the submodule.`;
  }
}
