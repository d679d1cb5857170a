import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** The package as a user gets it: packed from `dist` as it is, and installed in a folder that held nothing. */
export interface Installed {
  /** Absolute path of the project it is installed in. */
  readonly project: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
  remove(): void;
}

/**
 * Packs the package and installs it with npm, without a network: what it depends on is packed from our own `node_modules`
 * and handed to npm as overrides, and the cache is an empty one, so that nothing comes from elsewhere.
 */
export function installPackage(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'specloop-package-'));
  const project = join(folder, 'project');
  mkdirSync(project);
  const targets = ['.', ...runtimePackages().map((path) => `./${path}`)];
  const [own, ...others] = pack(folder, targets);
  if (own === undefined) throw new Error('npm packed nothing.');
  const paths = (packed: readonly Packed[]) =>
    Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${join(folder, filename)}`]));
  const manifest = { private: true, type: 'module', dependencies: paths([own]), overrides: paths(others) };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  npm(project, 'install', '--offline', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund');
  return {
    project,
    files: own.files.map(({ path }) => path),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function pack(destination: string, targets: readonly string[]): readonly Packed[] {
  return JSON.parse(npm(ROOT, 'pack', '--ignore-scripts', '--json', '--pack-destination', destination, ...targets));
}

/** The folders in `node_modules` of what the package needs at run time, by the lock file. */
function runtimePackages(): readonly string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
  };
  return Object.entries(lock.packages).flatMap(([path, { dev, devOptional }]) =>
    path === '' || dev === true || devOptional === true ? [] : [path],
  );
}

/** Runs npm and returns what it printed on stdout. Throws with what it printed on stderr when it fails. */
function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
