/** A repository on a GitHub host. */
export interface GitHubRepository {
  /** As `github.com`, in lower case. */
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

/** What the repository is read from. */
export interface RepositorySources {
  /** The address of the branch's remote, as git has it; absent if there is no remote. */
  readonly remoteUrl?: string;
  /** `GH_REPO` as `[HOST/]OWNER/REPO`, and `GH_HOST`, as `gh` reads them. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const GITHUB = 'github.com';
/** Other names of github.com in addresses of remotes. */
const ALIASES: ReadonlySet<string> = new Set(['www.github.com', 'ssh.github.com']);

/**
 * The repository that pull requests are opened in (R-PR-7): `GH_REPO` takes precedence over the remote, and `GH_HOST` over
 * the host of the remote. `undefined` if neither names one, as for a remote that is a folder (R-PR-8).
 */
export function gitHubRepository({ remoteUrl, env }: RepositorySources): GitHubRepository | undefined {
  const named = env.GH_REPO?.trim();
  const found = named ? ofParts(GITHUB, named) : ofAddress(remoteUrl?.trim() ?? '');
  const host = env.GH_HOST?.trim().toLowerCase();
  const isHostNamed = named !== undefined && named.split('/').length > 2;
  return found && host && !isHostNamed ? { ...found, host } : found;
}

/** Reads `OWNER/REPO`, or `HOST/OWNER/REPO` and addresses as `gh` takes them in `GH_REPO`. */
function ofParts(defaultHost: string, text: string): GitHubRepository | undefined {
  if (text.includes(':')) return ofAddress(text);
  const parts = text.split('/');
  if (parts.length === 2) return repositoryOf(defaultHost, text);
  return parts.length === 3 ? repositoryOf(parts[0] ?? '', parts.slice(1).join('/')) : undefined;
}

/** Reads `https://HOST/OWNER/REPO.git`, `ssh://git@HOST/OWNER/REPO` and `git@HOST:OWNER/REPO`. */
function ofAddress(address: string): GitHubRepository | undefined {
  if (/^(https?|ssh|git|git\+ssh|git\+https):\/\//.test(address)) {
    if (!URL.canParse(address)) return undefined;
    const { hostname, pathname } = new URL(address);
    return repositoryOf(hostname, pathname);
  }
  const [, host, path] = /^(?:[^@/:]+@)?([^@/:]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  return host !== undefined && path !== undefined ? repositoryOf(host, path) : undefined;
}

function repositoryOf(host: string, path: string): GitHubRepository | undefined {
  const [, owner, name] = /^\/?([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(path) ?? [];
  if (host === '' || owner === undefined || name === undefined) return undefined;
  const lower = host.toLowerCase();
  return { host: ALIASES.has(lower) ? GITHUB : lower, owner, name };
}
