import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PERSON = {
  GIT_AUTHOR_NAME: 'Somebody',
  GIT_AUTHOR_EMAIL: 'somebody@example.invalid',
  GIT_COMMITTER_NAME: 'Somebody',
  GIT_COMMITTER_EMAIL: 'somebody@example.invalid',
};

/** The bare repository that a scripted GitHub keeps its commits in. */
export class BareRepository {
  /** @param {string} dir absolute path */
  constructor(dir) {
    this.dir = dir;
  }

  /** Makes an empty one, with `main` as its default branch. */
  static create(/** @type {string} */ dir) {
    const repository = new BareRepository(dir);
    const made = spawnSync('git', ['init', '--quiet', '--bare', '--initial-branch', 'main', dir], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`git init: ${made.stderr}`);
    return repository;
  }

  /** The newest commit of a branch; `undefined` if there is no such branch. */
  headOf(branch) {
    const { status, stdout } = this.#run(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
    return status === 0 ? stdout.trim() : undefined;
  }

  /** Whether a commit has others than those of the base. */
  isAhead(base, head) {
    return this.#git(['rev-list', '--max-count=1', `${base}..${head}`]) !== '';
  }

  /** `MERGEABLE`, `CONFLICTING`, or `UNKNOWN` where git cannot tell. */
  mergeable(base, head) {
    const { status } = this.#run(['merge-tree', '--write-tree', base, head]);
    return status === 0 ? 'MERGEABLE' : status === 1 ? 'CONFLICTING' : 'UNKNOWN';
  }

  /** Somebody pushes a commit that writes these files, by their paths; the branch is made if it is missing. */
  push(branch, files, message) {
    const folder = mkdtempSync(join(tmpdir(), 'scripted-github-'));
    try {
      const index = { GIT_INDEX_FILE: join(folder, 'index') };
      const parent = this.headOf(branch) ?? this.headOf('main');
      if (parent !== undefined) this.#git(['read-tree', parent], index);
      for (const [path, text] of Object.entries(files)) {
        const blob = this.#git(['hash-object', '-w', '--stdin'], {}, text);
        this.#git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], index);
      }
      return this.#commit(branch, this.#git(['write-tree'], index), parent === undefined ? [] : [parent], message);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Merges a commit into a branch. */
  merge(base, head, message) {
    const into = this.headOf(base);
    const tree = this.#git(['merge-tree', '--write-tree', into, head]);
    return this.#commit(base, tree, [into, head], message);
  }

  #commit(branch, tree, parents, message) {
    const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message];
    const commit = this.#git(args);
    this.#git(['update-ref', `refs/heads/${branch}`, commit]);
    return commit;
  }

  #git(args, env = {}, input = '') {
    const { status, stdout, stderr } = this.#run(args, env, input);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  #run(args, env = {}, input = '') {
    const all = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...PERSON, ...env };
    return spawnSync('git', ['--git-dir', this.dir, ...args], { env: all, input, encoding: 'utf8' });
  }
}
