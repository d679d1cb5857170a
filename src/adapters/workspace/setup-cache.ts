import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LOCK_FILES } from '../../core/verify/lock-files.ts';
import { copyContent, copyPaths, type Extent, extentOf } from './copy.ts';
import { writeDurably } from './durable-file.ts';
import { codeOf, nothingIfMissing } from './fault.ts';
import { hashOf } from './location.ts';

const ENTRIES_MAX = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A file that is larger is a binary, or so much text that nothing takes a path from it. */
const SEARCHED_BYTES_MAX = 256 * 1024;

/** Files that say what is run when something is installed. */
const MANIFESTS: ReadonlySet<string> = new Set([
  'package.json',
  '.npmrc',
  '.nvmrc',
  '.node-version',
  '.tool-versions',
  'pnpm-workspace.yaml',
  '.yarnrc.yml',
  'Cargo.toml',
  'pyproject.toml',
  'Gemfile',
  'go.mod',
  'composer.json',
]);

/**
 * What the result of a setup depends on: the command and the files it names, lock files and manifests, the machine.
 * `undefined` without lock files: then no one can tell. `files` are those of the commit, with the ids of their content.
 */
export function setupKey(argv: readonly string[], files: ReadonlyMap<string, string>): string | undefined {
  const named = new Set(argv.map((argument) => argument.replace(/^\.\//, '')));
  const deciding = [...files].filter(([path]) => {
    const name = basename(path);
    return LOCK_FILES.has(name) || MANIFESTS.has(name) || named.has(path);
  });
  if (!deciding.some(([path]) => LOCK_FILES.has(basename(path)))) return undefined;
  const machine = [process.platform, process.arch, process.version];
  return hashOf(JSON.stringify([machine, argv, deciding.sort(([a], [b]) => (a < b ? -1 : 1))]));
}

/**
 * What setups of one repository made, by their keys: the newest few, each whole or not there at all. A disk that fails is
 * no failure here: then the setup runs.
 */
export class SetupCache {
  readonly #dir: string;

  /** `dir` is absolute and may be missing. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /**
   * Copies what the setup made into the tree, if it is there. An entry of which something is missing, as after a power
   * cut, is removed.
   */
  async restore(key: string, tree: string): Promise<boolean> {
    const entry = join(this.#dir, key);
    try {
      const wanted: Extent = JSON.parse(await readFile(join(entry, 'extent.json'), 'utf8'));
      const found = await extentOf(join(entry, 'files'));
      if (found.files === wanted.files && found.bytes === wanted.bytes) {
        await utimes(entry, new Date(), new Date());
        await copyContent({ from: join(entry, 'files'), to: tree });
        return true;
      }
    } catch (error) {
      if (codeOf(error) === '' && !(error instanceof SyntaxError)) throw error;
    }
    await this.#remove(key).catch(nothingOnDisk);
    return false;
  }

  /**
   * Keeps these paths of the tree, without those to omit, for the next tree, and tells whether that worked. What names
   * the tree's own place is not kept: elsewhere it would lead to a tree that is gone.
   */
  async publish(
    key: string,
    tree: string,
    { paths, omit }: { readonly paths: readonly string[]; readonly omit: ReadonlySet<string> },
  ): Promise<boolean> {
    const temporary = join(this.#dir, `.${key}-${randomBytes(6).toString('hex')}`);
    const files = join(temporary, 'files');
    try {
      await mkdir(files, { recursive: true, mode: 0o700 });
      const extent = await copyPaths({ from: tree, to: files }, paths, omit);
      if (await mentions(Buffer.from(files), Buffer.from(tree))) return false;
      await writeDurably(join(temporary, 'extent.json'), JSON.stringify(extent));
      await rename(temporary, join(this.#dir, key));
      await this.#removeOld();
      return true;
    } catch (error) {
      nothingOnDisk(error);
      return codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST';
    } finally {
      await rm(temporary, { recursive: true, force: true, maxRetries: 3 }).catch(nothingOnDisk);
    }
  }

  /** All but the newest entries, and what a crash left half made. */
  async #removeOld(): Promise<void> {
    const names = await readdir(this.#dir);
    const entries = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.#dir, name))).mtimeMs })),
    );
    const whole = entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => b.at - a.at);
    const stale = entries.filter(({ name, at }) => name.startsWith('.') && at < Date.now() - DAY_MS);
    await Promise.all([...whole.slice(ENTRIES_MAX), ...stale].map(({ name }) => this.#remove(name)));
  }

  /** In one step for those who look for it. */
  async #remove(name: string): Promise<void> {
    const dying = join(this.#dir, `.${name}-${randomBytes(6).toString('hex')}`);
    await rename(join(this.#dir, name), dying).catch(nothingIfMissing);
    await rm(dying, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Whether a text file or a link in the folder holds these bytes. */
async function mentions(folder: Buffer, bytes: Buffer): Promise<boolean> {
  const entries = await readdir(folder, { encoding: 'buffer', withFileTypes: true });
  const isFound = await Promise.all(
    entries.map(async (entry) => {
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      if (entry.isSymbolicLink()) return (await readlink(path, { encoding: 'buffer' })).includes(bytes);
      return entry.isFile() && (await stat(path)).size <= SEARCHED_BYTES_MAX && (await readFile(path)).includes(bytes);
    }),
  );
  if (isFound.includes(true)) return true;
  for (const entry of entries) {
    if (entry.isDirectory() && (await mentions(Buffer.concat([folder, Buffer.from('/'), entry.name]), bytes)))
      return true;
  }
  return false;
}

function nothingOnDisk(error: unknown): void {
  if (codeOf(error) === '') throw error;
}
