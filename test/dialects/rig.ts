import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const made: string[] = [];

/** A new repository with these files, none of them committed; its folder. */
export function repositoryWith(files: Readonly<Record<string, string>>): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'specloop-dialects-')));
  made.push(dir);
  spawnSync('git', ['init', '--quiet'], { cwd: dir });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

/** Removes all repositories that were made. */
export function removeRepositories(): void {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
}
