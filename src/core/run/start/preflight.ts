/** The state of the repository before a run (R-START-2). */
export interface StartFacts {
  readonly spec: string;
  readonly head: string | undefined;
  readonly branch: string | undefined;
  readonly operation: string | undefined;
  readonly defaultBranch: string | undefined;
  readonly branches: readonly string[];
  readonly hasIdentity: boolean;
  /** Uncommitted paths outside the spec. */
  readonly foreign: readonly string[];
  /** Whether the uncommitted changes are the work of a run that is taken up. */
  readonly isInFlight: boolean;
}

export type Preflight =
  | { readonly ok: true /** The branch to make first. */; readonly newBranch?: string }
  | { readonly ok: false; readonly message: string; readonly hint: string };

const LISTED_MAX = 20;

/** Whether a run may begin here, and on which branch (R-START-1, R-START-2). */
export function preflight(
  facts: StartFacts,
  options: { readonly allowDirty: boolean; readonly allowDefaultBranch: boolean },
): Preflight {
  const { head, branch, operation, foreign, isInFlight, defaultBranch } = facts;
  if (operation !== undefined) {
    return refuse(
      `"git ${operation}" is in progress in this repository.`,
      `Finish it, or end it with "git ${operation === 'bisect' ? 'bisect reset' : `${operation} --abort`}", then run the command again.`,
    );
  }
  if (head === undefined)
    return refuse('The repository has no commit yet.', 'Make a first commit, then run the command again.');
  if (branch === undefined)
    return refuse(
      'The working tree is on a detached HEAD.',
      'Switch to a branch (git switch <branch>), then run the command again.',
    );
  if (!facts.hasIdentity)
    return refuse(
      'git has no user name and email for commits.',
      'Set them with "git config user.name" and "git config user.email", then run the command again.',
    );
  if (foreign.length > 0 && !options.allowDirty && !isInFlight) {
    const more = foreign.length > LISTED_MAX ? `\n  and ${foreign.length - LISTED_MAX} more` : '';
    return refuse(
      `There are uncommitted changes outside the spec:\n${foreign
        .slice(0, LISTED_MAX)
        .map((path) => `  ${path}`)
        .join('\n')}${more}`,
      'Commit or stash them, or pass --allow-dirty to leave them alone.',
    );
  }
  if (branch !== defaultBranch || options.allowDefaultBranch) return { ok: true };
  return { ok: true, newBranch: freeBranch(facts) };
}

/** The first free name for a branch of this spec (R-START-2). */
function freeBranch({ spec, branches }: StartFacts): string {
  const isFree = (name: string) => branches.every((taken) => !excludes(taken, name));
  // Where a branch is called `feat`, none can be below it.
  const plain = branches.includes('feat') ? `feat-${spec}` : `feat/${spec}`;
  let name = plain;
  for (let n = 2; !isFree(name); n++) name = `${plain}-${n}`;
  return name;
}

/** Whether git can't have the two branches at once: a branch is a file, and the beginning of a name a folder. */
function excludes(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function refuse(message: string, hint: string): Preflight {
  return { ok: false, message, hint };
}
