import type { StateFileFields } from '../../state-file/parse.ts';
import { type Carried, type FixRecord, type ModificationRecord, nothingCarried } from '../data/carried.ts';
import type { RunState } from '../data/state.ts';

type Stated = Pick<StateFileFields, 'fixTaskMap' | 'modificationMap'>;

/**
 * What a new run takes over: the counts of the last run, and those that a state file tells of a spec without a journal. The
 * higher count holds, so that neither a restart nor an edited file gives more fixes than the limit (R-REC-3, R-MOD-2).
 * Tests that the last run left broken or unseen are still judged by what failed before it (R-ADV-3).
 */
export function carry(last: RunState | undefined, stated: Stated): Carried {
  const carried = last?.carried ?? nothingCarried;
  const { tests: _answered, ...counts } = carried;
  const tests = last?.tests;
  const open =
    tests?.baseline && tests.unseen !== undefined ? { tests: { baseline: tests.baseline, unseen: tests.unseen } } : {};
  return {
    ...counts,
    fixes: merge(carried.fixes, stated.fixTaskMap ?? {}, higherFix),
    modifications: merge(carried.modifications, stated.modificationMap ?? {}, higherModification),
    ...open,
  };
}

function merge<Ours, Theirs>(
  ours: Readonly<Record<string, Ours>>,
  theirs: Readonly<Record<string, Theirs>>,
  higher: (our: Ours | undefined, their: Theirs) => Ours,
): Readonly<Record<string, Ours>> {
  const merged = new Map(Object.entries(ours));
  for (const [id, their] of Object.entries(theirs)) merged.set(id, higher(merged.get(id), their));
  return Object.fromEntries(merged);
}

function higherFix(our: FixRecord | undefined, their: Partial<FixRecord>): FixRecord {
  return {
    attempts: Math.max(our?.attempts ?? 0, their.attempts ?? 0),
    fixTaskIds: [...new Set([...(our?.fixTaskIds ?? []), ...(their.fixTaskIds ?? [])])],
    lastError: our?.lastError ?? their.lastError ?? '',
  };
}

function higherModification(
  our: ModificationRecord | undefined,
  their: { readonly count?: number },
): ModificationRecord {
  return { count: Math.max(our?.count ?? 0, their.count ?? 0), modifications: our?.modifications ?? [] };
}
