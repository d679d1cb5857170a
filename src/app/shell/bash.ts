import { programOutside } from '../../adapters/program/program-outside.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';

/** Absolute path of the bash that runs Verify commands; never one that an agent can have planted (R-VER-14). Throws `UserError`. */
export function bashOutside(workspace: string, env: Host['env']): string {
  const found = programOutside('bash', { path: env.PATH, workspace });
  if (found !== undefined) return found;
  throw new UserError(
    'Verify commands need bash, and there is none on PATH outside the working tree and node_modules.',
    'Install bash, or add the absolute path of its folder to PATH, then run the command again.',
  );
}
