import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BareRepository, GitHubModel, type ServedGitHub, serveGitHub } from '../../scripts/github/github.mjs';
import { GH_VARIABLES } from '../../src/adapters/forge/github/environment.ts';
import { type GitHubForgeOptions, gitHubForge } from '../../src/adapters/forge/github/github.ts';
import { allowedEnvironment } from '../../src/adapters/process/environment.ts';
import { newMark, nodeProcesses } from '../../src/adapters/process/node.ts';
import { build } from '../../src/adapters/process/test-rig.ts';
import { programOutside } from '../../src/adapters/program/program-outside.ts';
import type { Forge } from '../../src/ports/forge.ts';

/** Why what needs the real `gh` is skipped; `undefined` where it is installed. */
export const NO_GH =
  programOutside('gh', { path: process.env.PATH, workspace: import.meta.dirname }) === undefined
    ? 'skipped, as gh is not installed'
    : undefined;

/** A scripted GitHub with a repository `acme/app`, and the adapter, which asks it by the real `gh`. */
export interface GitHubRig extends ServedGitHub {
  readonly model: GitHubModel;
  readonly forge: Forge;
  /** The adapter with other options. */
  forgeWith(change: Partial<GitHubForgeOptions>): Forge;
  /** All that the adapter gets by default. */
  readonly options: GitHubForgeOptions;
  /** Somebody pushes a commit of its own to a branch; returns it. */
  push(branch: string): string;
}

/** The part of the process adapter that runs without a build; removed with the last test. */
export function builtProcesses() {
  const built = build();
  const processes = nodeProcesses({ runMark: newMark(), containment: 'marker', supervisorPath: built.supervisorPath });
  return {
    processes,
    async remove() {
      await processes.close();
      built.remove();
    },
  };
}

export async function gitHubRig(processes: GitHubForgeOptions['processes']): Promise<GitHubRig> {
  const dir = mkdtempSync(join(tmpdir(), 'gh-'));
  const model = new GitHubModel({ gitDir: BareRepository.create(join(dir, 'app.git')).dir });
  const served = await serveGitHub(model, dir);
  const options: GitHubForgeOptions = {
    repository: { host: 'github.com', owner: 'acme', name: 'app' },
    processes,
    env: allowedEnvironment({ ...process.env, HOME: dir, ...served.env }, { pass: GH_VARIABLES }),
    cwd: dir,
  };
  let pushes = 0;
  return {
    ...served,
    model,
    options,
    forge: gitHubForge(options),
    forgeWith: (change) => gitHubForge({ ...options, ...change }),
    push(branch) {
      pushes += 1;
      return model.git.push(branch, { [`${branch}.txt`]: `${pushes}\n` }, `Commit ${pushes}`);
    },
    async close() {
      await served.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
