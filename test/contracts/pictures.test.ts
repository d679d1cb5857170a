import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { gitPictures } from '../../src/adapters/git/watch/git-pictures.ts';
import { memoryPictures } from '../memory/pictures.ts';
import { MemoryRepository } from '../memory/repository.ts';
import { type PicturesWorld, picturesContract } from './pictures.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Repositories that are made once, and copied for each test. */
const made = new Map<string, { readonly root: string; readonly commits: Commits }>();

interface Commits {
  readonly first: string;
  readonly second: string;
}

function gitWorld(...how: readonly string[]): PicturesWorld {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'specloop-pictures-')));
  folders.push(top);
  const root = join(top, 'r');
  const env = { PATH: process.env.PATH, HOME: join(top, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trim();
  const pathOf = (name: string) => join(root, '.git', name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(pathOf(name)), { recursive: true });
    writeFileSync(pathOf(name), text);
    if (name.startsWith('hooks/')) chmodSync(pathOf(name), 0o755);
  };
  const commit = (text: string) => {
    writeFileSync(join(root, 'README.md'), text);
    git('add', '--all');
    git('commit', '--quiet', '--no-verify', '--message', text);
    return git('rev-parse', 'HEAD');
  };
  const begin = (): Commits => {
    git('init', '--quiet', '--initial-branch', 'feat/demo');
    for (const key of ['user.name', 'user.email']) git('config', key, 't@example.invalid');
    const commits = { first: commit('first'), second: commit('second') };
    if (how.length > 0) git(...how);
    return commits;
  };
  for (const dir of [root, env.HOME]) mkdirSync(dir);
  const model = made.get(how.join(' '));
  if (model !== undefined) cpSync(model.root, root, { recursive: true });
  const commits = model?.commits ?? begin();
  if (model === undefined) {
    const copy = join(top, 'model');
    cpSync(root, copy, { recursive: true });
    made.set(how.join(' '), { root: copy, commits });
  }
  return {
    pictures: gitPictures({
      root,
      env,
      own: { settings: ['specloop.config.yaml'], personal: [], programs: [] },
      parts: [],
      keepIn: join(top, 'replaced'),
      keepUnder: 'refs/specloop/kept/demo/replaced/',
    }),
    scene: { trees: [{ dir: root }], branch: 'feat/demo' },
    write,
    remove: (name) => rmSync(pathOf(name)),
    setRef: (name, to) => void (to === 'gone' ? git('update-ref', '-d', name) : git('update-ref', name, commits[to])),
    stash: (message) => {
      writeFileSync(join(root, 'README.md'), message);
      git('stash', 'push', '--quiet', '--message', message);
    },
    clearStash: () => void git('stash', 'clear'),
    hide: (path) => void git('update-index', '--skip-worktree', path),
  };
}

picturesContract('the git program', () => gitWorld());
picturesContract('the git program with packed refs', () => gitWorld('pack-refs', '--all'));
picturesContract('the git program with a split index', () => gitWorld('update-index', '--split-index'));

picturesContract('memory', () => {
  const repository = new MemoryRepository('/r', { branch: 'feat/demo', files: { 'README.md': 'first' } });
  const first = repository.refs.get('refs/heads/feat/demo') ?? '';
  const second = repository.add({ parent: first, text: 'second\n', files: new Map([['README.md', 'second']]) }).id;
  const commits = { first, second };
  return {
    pictures: memoryPictures(repository),
    scene: { trees: [{ dir: '/r' }], branch: 'feat/demo' },
    write: (name, text) => void repository.gitFiles.set(`.git/${name}`, text),
    remove: (name) => void repository.gitFiles.delete(`.git/${name}`),
    setRef: (name, to) => void (to === 'gone' ? repository.refs.delete(name) : repository.refs.set(name, commits[to])),
    stash: (message) => {
      const { id } = repository.add({ parent: second, text: `${message}\n`, files: new Map() });
      repository.stash = [{ commit: id, message }, ...repository.stash];
    },
    clearStash: () => {
      repository.stash = [];
    },
    hide: (path) => void repository.flags.set('/r', [{ path, flag: 'skip-worktree' }]),
  };
});
