import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { FileUse, Picture } from '../../../core/watch/picture.ts';
import type { Tree } from '../../../ports/git.ts';
import type { GitCalls } from '../calls.ts';
import { gitFolderOf, isMissing } from '../git-folder.ts';

/** A file to look at. */
export interface Spot {
  readonly path: string;
  readonly use: FileUse;
  readonly shown: string;
  readonly tree?: string;
}

/** Where a repository's settings, rules and hooks are: asked once, as what an agent writes must not lead elsewhere. */
export interface WatchedPlaces {
  readonly shared: readonly Spot[];
  readonly hooksFolder: string;
}

/** What is ours to protect, in each working tree and relative to it unless something else is said. */
export interface OwnFiles {
  /** Our settings, and what they name as agents. */
  readonly settings: readonly string[];
  /** Absolute paths of the person's own settings. */
  readonly personal: readonly string[];
  /** Programs that Verify commands reach by the name of a known runner. */
  readonly programs: readonly string[];
}

interface Repository {
  readonly main: Tree;
  readonly commonDir: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One call of git, for all settings and the files that they are in. */
export async function learnPlaces(calls: GitCalls, repository: Repository): Promise<WatchedPlaces> {
  const { main, commonDir, env } = repository;
  // Where hooks are off, the setting that is asked for is another one.
  const answer = await calls.ask(main, ['config', '--list', '--show-origin', '-z'], { hooks: 'run' });
  const settings = readSettings(answer.toString());
  const value = (key: string) => settings.findLast((setting) => setting.key === key)?.value;
  const home = env.HOME ?? '/';
  const pathOf = (text: string) => (text.startsWith('~/') ? join(home, text.slice(2)) : resolve(main.dir, text));
  const below = (name: string) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git', name);
  const global =
    env.GIT_CONFIG_GLOBAL === undefined ? [join(home, '.gitconfig'), below('config')] : [env.GIT_CONFIG_GLOBAL];
  const config = [
    join(commonDir, 'config'),
    ...global,
    ...settings.flatMap(({ file }) => (file === undefined ? [] : [resolve(main.dir, file)])),
  ];
  const rules = [
    ...['exclude', 'attributes', 'grafts'].map((name) => join(commonDir, 'info', name)),
    pathOf(value('core.excludesfile') ?? below('ignore')),
    pathOf(value('core.attributesfile') ?? below('attributes')),
  ];
  const spot = (use: FileUse) => (path: string) => ({ path, use, shown: shownIn(repository, path) });
  const hooks = value('core.hookspath');
  return {
    shared: [...[...new Set(config)].map(spot('config')), ...[...new Set(rules)].map(spot('rules'))],
    hooksFolder: hooks === undefined ? join(commonDir, 'hooks') : pathOf(hooks),
  };
}

interface GitSetting {
  readonly file?: string;
  readonly key: string;
  readonly value: string;
}

/** Origin, then key and value, each ended by a NUL. */
function readSettings(text: string): readonly GitSetting[] {
  const parts = text.split('\0');
  const settings: GitSetting[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const file = /^file:(.+)$/s.exec(parts[at] ?? '')?.[1];
    const [, key = '', value = ''] = /^([^\n]*)(?:\n(.*))?$/s.exec(parts[at + 1] ?? '') ?? [];
    // Settings of our own calls come from no file.
    if (file !== undefined) settings.push({ file, key, value });
  }
  return settings;
}

/** The places that a picture shows, for a repository whose settings may not be asked any more. */
export function placesOf({ files, hooksFolder }: Picture): WatchedPlaces {
  const all = Object.entries(files).map(([path, { use, shown, tree }]) => ({
    path,
    use,
    shown,
    ...(tree === undefined ? {} : { tree }),
  }));
  return { shared: all.filter(({ use }) => use !== 'hook' && use !== 'trust'), hooksFolder };
}

/** The hooks that there are, and the rules, settings and programs of the working trees. */
export async function spotsIn(
  { main, commonDir }: Pick<Repository, 'main' | 'commonDir'>,
  { hooksFolder }: WatchedPlaces,
  { trees, own }: { readonly trees: readonly Tree[]; readonly own: OwnFiles },
): Promise<readonly Spot[]> {
  const inTree = relative(main.dir, hooksFolder);
  const isInTree = !inTree.startsWith('..') && !isAbsolute(inTree) && relative(commonDir, hooksFolder).startsWith('..');
  const spots: Spot[] = own.personal.map((path) => ({ path, use: 'settings', shown: path }));
  spots.push(...(isInTree ? [] : hooksIn(hooksFolder, (path) => ({ shown: shownIn({ main, commonDir }, path) }))));
  for (const { dir: tree } of trees) {
    const shownHere = (path: string) => ({ shown: relative(tree, path), tree });
    if (isInTree) spots.push(...hooksIn(join(tree, inTree), shownHere));
    const folder = await gitFolderOf({ dir: tree }).catch(() => undefined);
    if (folder !== undefined) {
      const shown = (name: string) => `.git/${name}`;
      spots.push({ path: join(folder, 'config.worktree'), use: 'config', shown: shown('config.worktree'), tree });
      spots.push({
        path: join(folder, 'info/sparse-checkout'),
        use: 'rules',
        shown: shown('info/sparse-checkout'),
        tree,
      });
    }
    for (const name of own.settings) spots.push({ path: join(tree, name), use: 'settings', shown: name, tree });
    for (const name of own.programs) spots.push({ path: join(tree, name), use: 'program', shown: name, tree });
  }
  return spots;
}

/** Hooks, and for husky's folder `_` those that it calls. Git's own samples are no hooks. */
function hooksIn(folder: string, more: (path: string) => Pick<Spot, 'shown' | 'tree'>): Spot[] {
  const folders = basename(folder) === '_' ? [folder, dirname(folder)] : [folder];
  return folders.flatMap((dir) =>
    namesIn(dir)
      .filter((name) => !name.endsWith('.sample') && !name.startsWith('.'))
      .map((name) => ({ path: join(dir, name), use: 'hook' as const, ...more(join(dir, name)) })),
  );
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** A path as people write it: from the repository's folder, or in full. */
function shownIn({ main, commonDir }: Pick<Repository, 'main' | 'commonDir'>, path: string): string {
  const inGit = relative(commonDir, path);
  if (!inGit.startsWith('..')) return `.git/${inGit}`;
  const inTree = relative(main.dir, path);
  return inTree.startsWith('..') || isAbsolute(inTree) ? path : inTree;
}

/** The length of an object id in bytes. */
export function idBytesOf(commonDir: string): 20 | 32 {
  try {
    return /^\s*objectformat\s*=\s*sha256/im.test(readFileSync(join(commonDir, 'config'), 'utf8')) ? 32 : 20;
  } catch (error) {
    if (isMissing(error)) return 20;
    throw error;
  }
}
