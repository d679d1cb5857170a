/** Where an attempt works, and where its work is measured, recorded from and undone. Said by every effect that works there. */
export type Lane =
  /** The user's tree, by itself. */
  | { readonly kind: 'tree' }
  /** A worktree of its own, made at the commit `base`, with a branch of its own (R-PAR-3). */
  | { readonly kind: 'worktree'; readonly base: string }
  /** The user's tree, together with other members of its batch (isolation `shared`). */
  | {
      readonly kind: 'shared';
      /** Keys of all members, each of which may tick its box. */
      readonly members: readonly string[];
      /** The branch tip, which the records of others move: what the work is compared with. */
      readonly tip: string;
      /** Whether the tree may hold the work of other members; the last one answers for all that is there. */
      readonly holdsOthers: boolean;
      /** Name of the member's own progress file. */
      readonly progressFile: string;
    };
