import type { Forge } from './forge.ts';
import type { Remote } from './remote.ts';

/** Where the repository is hosted: what the lifecycle of a pull request reaches, and nothing else does (R-PR-7). */
export interface Hosting {
  readonly forge: Forge;
  readonly remote: Remote;
  /** Environment of the commands of the lifecycle's own tasks, with what signs `gh` in. */
  readonly environment: Readonly<Record<string, string>>;
  /** Texts of the workflows of the repository, bounded. */
  readonly workflows: () => Promise<readonly string[]>;
}
