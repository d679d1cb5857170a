import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Launch } from '../../ports/process.ts';
import type { NamespaceCommand } from './namespace.ts';

/** What programs in the sandbox may see and change, in addition to their own working tree (R-SEC-3). All paths are absolute. */
export interface Sandbox {
  /** The home folder; the places in it where credentials usually are look empty. */
  readonly home: string;
  /** The git folder that all working trees share, and whether programs may write it; its settings, its hooks and `readOnly` they never may. */
  readonly git?: { readonly dir: string; readonly access: 'read' | 'write'; readonly readOnly?: readonly string[] };
  /** Where git takes hooks from instead of its own folder; may be relative to a working tree. */
  readonly hooksPath?: string;
  /** Folders in which each program has an empty one of its own that is gone with it, in addition to the `TMPDIR` it is given. */
  readonly temporary: readonly string[];
  /** What the person lets them see and write, whatever it is. */
  readonly writable: readonly string[];
}

/** `hide`: looks empty. `temporary`: empty, writable, and gone with the program. */
interface Mount {
  readonly path: string;
  readonly as: 'read' | 'write' | 'hide' | 'temporary';
}

const SECRET_PLACES = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.terraform.d'],
  ...['.config/gh', '.config/hub', '.config/gcloud', '.config/op', '.local/share/keyrings'],
  ...['.netrc', '.git-credentials', '.config/git/credentials', '.npmrc', '.pypirc', '.pgpass', '.my.cnf'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.vault-token'],
];

/** Sockets of services that would start programs outside. The rest of them is in `/run`. */
const SOCKETS = ['/var/run/docker.sock', '/var/run/dbus/system_bus_socket'];

/** What programs of a system are looked up in, on systems that keep that in `/run`. */
const NEEDED_OF_RUN = ['/run/current-system', '/run/wrappers', '/run/opengl-driver'];

const ISOLATED = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
];

/** A superuser needs these to write the files of others, as everywhere; what could undo the sandbox is dropped. */
const SUPERUSER = [
  ...['--cap-drop', 'ALL'],
  ...['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER'].flatMap((name) => ['--cap-add', name]),
];

/** What to tell a person where there is no sandbox; `words` is what bubblewrap said. */
export function noSandbox(words: string): string {
  const said = words.trim() === '' ? '' : ` (${words.trim().split('\n').at(-1)})`;
  return process.platform === 'linux'
    ? `The sandbox does not work here: bubblewrap fails${said}. Install the package bubblewrap, and allow user namespaces if the system forbids them.`
    : 'The sandbox works only on Linux.';
}

/**
 * What to put before the arguments of a launch so that it runs in the sandbox. bubblewrap is started directly, without a
 * shell between, as it dies with its parent (R-DEL-6). Makes the folders among `writable` that are missing.
 */
export async function sandboxed(launch: Launch, sandbox: Sandbox): Promise<NamespaceCommand> {
  const mounts = await mountsOf(launch, sandbox);
  return [
    'bwrap',
    ...ISOLATED,
    ...(process.getuid?.() === 0 ? SUPERUSER : []),
    ...(launch.network === 'deny' ? ['--unshare-net'] : []),
    ...(await Promise.all(mounts.map(argumentsOf))).flat(),
    ...['--chdir', launch.cwd, '--'],
  ];
}

/** Deeper ones come later, so that each holds for what is in it; of two for one path, the later one in this list. */
async function mountsOf({ cwd, tree = cwd, env, writable = [] }: Launch, sandbox: Sandbox): Promise<readonly Mount[]> {
  const { TMPDIR = '' } = env;
  const temporary = [...sandbox.temporary, ...(isAbsolute(TMPDIR) && !isWithin(tree, TMPDIR) ? [TMPDIR] : [])];
  const own = [...writable, ...sandbox.writable];
  for (const path of own) await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const mounts: readonly Mount[] = [
    ...mount('temporary', ['/run', ...temporary]),
    ...mount('read', [...NEEDED_OF_RUN, dirname(await realpath('/etc/resolv.conf').catch(() => '/etc/resolv.conf'))]),
    ...mount('write', [tree]),
    ...mount('hide', [...SECRET_PLACES.map((place) => join(sandbox.home, place)), ...SOCKETS]),
    ...mount('write', own),
    ...(await gitMounts(tree, sandbox)),
  ];
  const real = await Promise.all(mounts.map(async ({ path, as }) => ({ path: await realPlace(path), as })));
  return real.toSorted((a, b) => depth(a.path) - depth(b.path));
}

/** A folder that is written may not be taken away as a whole either, so it is mounted by itself. */
async function gitMounts(tree: string, { git, hooksPath }: Sandbox): Promise<readonly Mount[]> {
  const hooks = hooksPath === undefined ? [] : [resolve(tree, hooksPath)];
  if (git === undefined) return mount('read', [join(tree, '.git'), ...hooks]);
  if (git.access === 'read') return mount('read', [join(tree, '.git'), git.dir, ...hooks]);
  const own = join(git.dir, 'hooks');
  await mkdir(own, { recursive: true }).catch(() => undefined);
  const trees = await readdir(join(git.dir, 'worktrees')).catch(() => []);
  const ofTrees = trees.flatMap((name) =>
    ['gitdir', 'commondir', 'config.worktree'].map((file) => join(git.dir, 'worktrees', name, file)),
  );
  const shut = ['config', 'config.worktree', 'modules'].map((name) => join(git.dir, name));
  return [
    ...mount('read', [join(tree, '.git')]),
    ...mount('write', [git.dir]),
    ...mount('read', [own, ...shut, ...(git.readOnly ?? []), ...ofTrees, ...hooks]),
  ];
}

function mount(as: Mount['as'], paths: readonly string[]): readonly Mount[] {
  return paths.map((path) => ({ path, as }));
}

/** A link would be followed outside, and the place it leads to stay as it is. */
async function realPlace(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function argumentsOf({ path, as }: Mount): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return [];
  switch (as) {
    case 'read':
      return ['--ro-bind-try', path, path];
    case 'write':
      return ['--bind-try', path, path];
    case 'hide':
      return found.isDirectory() ? ['--tmpfs', path] : ['--dev-bind', '/dev/null', path];
    case 'temporary':
      return ['--tmpfs', path];
  }
}

function depth(path: string): number {
  return path.split(sep).filter((segment) => segment !== '').length;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
