import type { Plan } from '../plan/data/task.ts';
import { isWithin } from '../progress/scope-bounds.ts';
import type { ArtifactName, ArtifactText } from './artifact-text.ts';
import type { Requirements } from './requirements.ts';
import type { HeadingAliases } from './section-names.ts';

/** A spec as its checks see it: what was read, and what is known of its surroundings. */
export interface CheckedSpec {
  readonly name: string;
  /** Path of its folder, relative to the repository. */
  readonly path: string;
  /** Those that are there. */
  readonly artifacts: ReadonlyMap<ArtifactName, ArtifactText>;
  readonly requirements?: Requirements;
  readonly plan?: Plan;
  readonly aliases: HeadingAliases;
  /** What the scope allows it to change: files, folders and globs; absent where no bounds are named (R-SCOPE-1). */
  readonly bounds?: readonly string[];
  readonly around: Surrounding;
}

/** What the checks have to know of the repository and the machine. */
export interface Surrounding {
  /** Of the paths that were asked for, those that exist. */
  readonly existing: ReadonlySet<string>;
  /** Of these paths, those that git ignores. */
  readonly ignored: ReadonlySet<string>;
  /** Of the programs that were asked for, those that are found. */
  readonly programs: ReadonlySet<string>;
  /** Scripts of the manifest (`package.json`) where commands run; `undefined` without one. */
  readonly scripts?: ReadonlySet<string>;
}

/** Whether no task is done yet: later, files that were to be made exist. */
export function isNotBegun({ plan }: Pick<CheckedSpec, 'plan'>): boolean {
  return plan === undefined || plan.tasks.every(({ checked }) => !checked);
}

/** Whether a file is outside of the bounds of the spec; its own documents never are. */
export function isOutOfScope(file: string, { bounds, path }: Pick<CheckedSpec, 'bounds' | 'path'>): boolean {
  return bounds !== undefined && !isWithin(file, [...bounds, path]);
}
