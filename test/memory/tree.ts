/** The files of one working tree: text by path, relative to the root, `/` as separator. Folders are what the paths say. */
export type TreeFiles = Map<string, string>;

/** Writes a file; a file or folder that stands in its way gives way. */
export function putFile(files: TreeFiles, path: string, text: string): void {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) files.delete(path.slice(0, at));
  for (const known of [...files.keys()]) if (known.startsWith(`${path}/`)) files.delete(known);
  files.set(path, text);
}

/** Removes a file, or a folder with all that is in it; what is gone stays gone. */
export function removePath(files: TreeFiles, path: string): void {
  files.delete(path);
  for (const known of [...files.keys()]) if (known.startsWith(`${path}/`)) files.delete(known);
}
