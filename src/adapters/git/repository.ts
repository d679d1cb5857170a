import { basename } from 'node:path';
import type { RepositoryFacts, Tree } from '../../ports/git.ts';
import { DEFAULT_TIMEOUTS, type GitCalls, gitCalls } from './calls.ts';
import { faultOf } from './fault.ts';
import { ignoredAmong } from './staging.ts';

/** Where a repository is. All paths are absolute and free of symbolic links. */
export interface RepositoryPlace {
  /** Root of the working tree. */
  readonly root: string;
  /** Folder shared by all worktrees. */
  readonly commonDir: string;
  /** Private folder of this working tree; the same as `commonDir` in the main one. */
  readonly gitDir: string;
}

/**
 * What a folder is to git. `distrusted`: it belongs to someone else, and git wants to be told that this is fine.
 * `elsewhere`: its repository has the working tree at `root`, which the folder is not in.
 */
export type FoundRepository =
  | { readonly is: 'repository'; readonly place: RepositoryPlace }
  | { readonly is: 'none' }
  | { readonly is: 'bare'; readonly gitDir: string }
  | { readonly is: 'elsewhere'; readonly gitDir: string; readonly root: string }
  | { readonly is: 'distrusted'; readonly reason: string };

const PLACE = [
  'rev-parse',
  '--path-format=absolute',
  '--is-bare-repository',
  '--is-inside-work-tree',
  '--absolute-git-dir',
  '--git-common-dir',
  '--show-toplevel',
] as const;

/** Finds the repository that a folder belongs to, itself or one further up (R-START-1). Throws `GitFault` without git. */
export async function findRepository(dir: string, env: NodeJS.ProcessEnv): Promise<FoundRepository> {
  const answer = await callsFor(env).run({ dir }, PLACE, { searches: true });
  const [isBare, isInside, gitDir = '', commonDir, root] = answer.stdout.toString().replace(/\n$/, '').split('\n');
  if (/dubious ownership/.test(answer.stderr)) return { is: 'distrusted', reason: distrust(answer.stderr) };
  if (isBare === 'true') return { is: 'bare', gitDir };
  const refused = /cannot use bare repository '(.+)' \(/.exec(answer.stderr)?.[1];
  if (refused !== undefined) return basename(refused) === '.git' ? { is: 'none' } : { is: 'bare', gitDir: refused };
  if (isInside === 'false' && answer.code === 0 && root !== undefined) return { is: 'elsewhere', gitDir, root };
  if (isInside === 'false' || /not a git repository/.test(answer.stderr)) return { is: 'none' };
  if (answer.code !== 0 || root === undefined || commonDir === undefined) throw faultOf('rev-parse', answer);
  return { is: 'repository', place: { root, commonDir, gitDir } };
}

function distrust(stderr: string): string {
  const place = /repository at '(.+)'/.exec(stderr)?.[1] ?? 'this folder';
  return `The repository at ${place} belongs to another user. If you trust it, run: git config --global --add safe.directory "${place}".`;
}

/** What has to be known of a repository before a run (R-START-2, R-ADV-1). */
export async function readFacts(
  { root, commonDir }: RepositoryPlace,
  env: NodeJS.ProcessEnv,
): Promise<RepositoryFacts> {
  const calls = callsFor(env);
  const tree = { dir: root };
  const [refs, ...identities] = await Promise.all([
    readRefs(calls, tree),
    hasIdentity(calls, tree, 'AUTHOR'),
    hasIdentity(calls, tree, 'COMMITTER'),
  ]);
  const branches = refs.flatMap(({ name }) => (name.startsWith(BRANCHES) ? [name.slice(BRANCHES.length)] : []));
  return {
    root,
    commonDir,
    branches,
    defaultBranch: defaultOf(refs, branches),
    hasIdentity: !identities.includes(false),
  };
}

/** Which of these paths, relative to the root, the repository ignores; a tracked one never is (R-START-6). */
export async function ignoredPaths(
  { root }: Pick<RepositoryPlace, 'root'>,
  env: NodeJS.ProcessEnv,
  paths: readonly string[],
): Promise<readonly string[]> {
  const ignored = await ignoredAmong(callsFor(env), { dir: root }, paths);
  return paths.filter((path) => ignored.has(path));
}

interface Ref {
  readonly name: string;
  /** The ref this one stands for, if it is symbolic. */
  readonly target: string;
}

const BRANCHES = 'refs/heads/';

async function readRefs(calls: GitCalls, tree: Tree): Promise<readonly Ref[]> {
  const output = await calls.ask(tree, [
    'for-each-ref',
    '--format=%(refname)%00%(symref)',
    'refs/heads',
    'refs/remotes',
  ]);
  const lines = output.toString().split('\n').slice(0, -1);
  return lines.map((line) => ({ name: line.split('\0')[0] ?? '', target: line.split('\0')[1] ?? '' }));
}

/** The branch a remote's HEAD names, `origin` before others; else `main` or `master`, here or at a remote. */
function defaultOf(refs: readonly Ref[], branches: readonly string[]): string | undefined {
  const heads = refs.filter(({ name, target }) => /^refs\/remotes\/[^/]+\/HEAD$/.test(name) && target !== '');
  const head =
    heads.find(({ name }) => name === 'refs/remotes/origin/HEAD') ?? (heads.length === 1 ? heads[0] : undefined);
  if (head !== undefined) return head.target.split('/').slice(3).join('/');
  const atRemotes = refs.flatMap(({ name }) => /^refs\/remotes\/[^/]+\/(main|master)$/.exec(name)?.[1] ?? []);
  return (
    ['main', 'master'].find((name) => branches.includes(name)) ??
    ['main', 'master'].find((name) => atRemotes.includes(name))
  );
}

/** A name that git would guess from the machine's is no identity. */
async function hasIdentity(calls: GitCalls, tree: Tree, of: 'AUTHOR' | 'COMMITTER'): Promise<boolean> {
  const answer = await calls.run(tree, ['-c', 'user.useConfigOnly=true', 'var', `GIT_${of}_IDENT`]);
  return answer.code === 0;
}

function callsFor(env: NodeJS.ProcessEnv): GitCalls {
  return gitCalls(env, DEFAULT_TIMEOUTS);
}
