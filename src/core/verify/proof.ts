/** What running the Verify commands did to the tree in which they proved the work (R-VER-13). Absent fields: nothing. */
export interface Proof {
  /** Where the tree is now, if the commands moved it. */
  readonly moved?: { readonly branch?: string; readonly head: string; readonly operation?: string };
  /** Files of the work that they removed, or put back to what they were before the attempt. */
  readonly gone?: readonly string[];
  /** Files of the work that they rewrote, and that were proved once more in the new form. */
  readonly rewritten?: readonly string[];
  /** Files of the work that they rewrote again when the new form was proved. */
  readonly unsettled?: readonly string[];
  /** Tracked files outside the work that they changed; put back. */
  readonly putBack?: readonly string[];
  /** New files outside the work; removed from the tree. */
  readonly setAside?: readonly string[];
  /** The ref that keeps what was put back or set aside. */
  readonly kept?: string;
}

/** Why what was proved cannot be recorded, in words, none if it can. `branch` is where the tree has to be. */
export function proofFailures(
  { moved, gone = [], unsettled = [] }: Proof,
  branch: string | undefined,
): readonly string[] {
  return [
    ...(moved === undefined ? [] : [movedText(moved, branch)]),
    ...(gone.length === 0 ? [] : [`It removed files of the work, or undid the change: ${gone.join(', ')}.`]),
    ...(unsettled.length === 0
      ? []
      : [`It rewrites files of the work each time it runs: ${unsettled.join(', ')}. Let it write the same each time.`]),
  ];
}

function movedText({ branch: now, operation }: NonNullable<Proof['moved']>, branch: string | undefined): string {
  if (operation !== undefined) return `It left a ${operation} unfinished.`;
  if (now !== branch)
    return `It moved the working tree to ${now ?? 'a detached HEAD'}${branch === undefined ? '' : ` from ${branch}`}.`;
  // Without the commit: a fix task may hold these words, and the plan must not depend on when a check was interrupted (R-ADV-2).
  return 'It moved HEAD: a Verify command must not commit.';
}

/** What the commands did that the record does not hold, in words. */
export function proofNotes({ rewritten = [], putBack = [], setAside = [], kept }: Proof): readonly string[] {
  const where = kept === undefined ? '' : `, kept under ${kept}`;
  return [
    ...(rewritten.length === 0
      ? []
      : [`the Verify command rewrote ${rewritten.join(', ')}; the new version was checked again`]),
    ...(putBack.length === 0 ? [] : [`the Verify command changed ${putBack.join(', ')}; put back${where}`]),
    ...(setAside.length === 0 ? [] : [`the Verify command wrote ${setAside.join(', ')}; set aside${where}`]),
  ];
}
