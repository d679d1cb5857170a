import { programOutside } from '../adapters/program/program-outside.ts';
import { UserError } from '../core/user-error.ts';
import type { Host } from './host.ts';

/** Absolute path of the bash that runs Verify commands; never one that an agent can have planted (R-VER-14). Throws `UserError`. */
export function bashOutside(workspace: string, env: Host['env']): string {
  const found = programOutside('bash', { path: env.PATH, workspace });
  if (found !== undefined) return found;
  throw new UserError(
    'There is no bash on the PATH outside of the working tree and of node_modules, and Verify commands need one.',
    'Install bash, or add its folder to PATH by its absolute path; then run the command again.',
  );
}
