import type { RunState } from '../../core/run/data/state.ts';
import { taskOf } from '../../core/run/data/state.ts';
import { isBookkeeping } from '../../core/spec-files.ts';
import type { VerifyRun } from '../../core/verify/evidence.ts';
import { differences, type Fingerprint } from '../../core/verify/fingerprint.ts';
import { bothNoticed, NOTHING_NOTICED, type Noticed } from '../../core/verify/noticed.ts';
import type { Proof } from '../../core/verify/proof.ts';
import type { Inspection } from '../../ports/git.ts';
import type { World } from '../lane/world.ts';
import { forgetNote, noteBefore, putCutOffBack } from './cut-off-check.ts';
import { keptRef } from './kept-ref.ts';
import { uncoveredAmong } from './measure-work.ts';
import { pathsOfOthers } from './shared-tree.ts';
import { unusedRef } from './unused-ref.ts';
import { runVerify } from './verify.ts';
import { watched } from './watched.ts';

/** Work to prove, in the tree of `World`. */
export interface ProofOrder {
  readonly key: string;
  readonly attempt: number;
  readonly commands: readonly string[];
  /** The commit that the work is compared with. */
  readonly base: string;
  readonly work: Fingerprint;
  /** The state of the tree before the commands. */
  readonly before: Inspection;
}

const ROUNDS_MAX = 2;

export interface Proven {
  /** How the commands ended, the last time they ran. */
  readonly verify: readonly VerifyRun[];
  readonly proof: Proof;
  /** The work in the form that was proved. */
  readonly work: Fingerprint;
  /** What the commands wrote that is not part of the work. */
  readonly outside: readonly string[];
  /** What was staged after them. */
  readonly staged: readonly string[];
  /** What they did to that which judges the work (R-VER-14). */
  readonly noticed: Noticed;
}

/**
 * Runs the Verify commands and measures the tree again (R-VER-13): what they did to the work is part of the proof, and what
 * they wrote outside it is kept under a ref and put back. After a command that failed nothing is measured: the attempt is
 * set aside as a whole.
 */
export async function prove(world: World, state: RunState, order: ProofOrder): Promise<Proven | 'cancelled'> {
  if (order.commands.length > 0) await noteBefore(world, order, order.before);
  const proven = await proveInRounds(world, state, order);
  if (proven === 'cancelled') await putCutOffBack(world, state, order);
  else if (order.commands.length > 0) await forgetNote(world, order);
  return proven;
}

/** Where the commands rewrite the work, as a formatter does, the new form is proved once more. */
async function proveInRounds(world: World, state: RunState, order: ProofOrder): Promise<Proven | 'cancelled'> {
  const rewritten = new Set<string>();
  let noticed = NOTHING_NOTICED;
  for (let { work } = order, round = 1; ; round++) {
    // What they did to git's settings is put back before git is asked for the state of the tree.
    const ran = await watched(state, world, { ...order, when: 'go on' }, () => runAll(world, order));
    const verify = ran.result;
    noticed = bothNoticed(noticed, ran.noticed);
    if (verify === 'cancelled') return 'cancelled';
    if (verify.length === 0 || !verify.every(passed))
      return { verify, proof: {}, work, outside: [], staged: order.before.staged, noticed };
    const seen = await lookAgain(world, state, { ...order, work });
    const isLast = round === ROUNDS_MAX;
    if (seen.isFit && seen.rewritten.length > 0 && !isLast) {
      for (const path of seen.rewritten) rewritten.add(path);
      work = seen.work;
      continue;
    }
    const unsettled = seen.isFit ? seen.rewritten : [];
    const isProved = seen.isFit && unsettled.length === 0;
    const leftovers = isProved ? await putBack(world, order, seen) : {};
    const proof = { ...seen.proof, ...listed({ unsettled, rewritten: isProved ? [...rewritten] : [] }), ...leftovers };
    return { verify, proof, work: seen.work, outside: seen.outside, staged: seen.now.staged, noticed };
  }
}

function passed({ how, exitCode }: VerifyRun): boolean {
  return how === 'exited' && exitCode === 0;
}

/** Up to the first that failed. */
async function runAll(
  world: World,
  { commands, key, attempt }: ProofOrder,
): Promise<readonly VerifyRun[] | 'cancelled'> {
  const runs: VerifyRun[] = [];
  for (const command of commands) {
    const run = await runVerify(world, { key, command, attempt });
    if (run === 'cancelled') return 'cancelled';
    runs.push(run);
    if (!passed(run)) break;
  }
  return runs;
}

interface SeenAfter {
  readonly now: Inspection;
  readonly work: Fingerprint;
  /** Whether the tree is where it was, with all of the work. */
  readonly isFit: boolean;
  readonly rewritten: readonly string[];
  readonly outside: readonly string[];
  readonly proof: Proof;
}

/** One look of git, and one at the files of the work. A file that *Files* names by its path is part of it, whichever task wrote it. */
async function lookAgain(world: World, state: RunState, { key, base, before, work }: ProofOrder): Promise<SeenAfter> {
  const { git, tree } = world;
  const now = await git.inspect(tree);
  const known = new Set(before.changes.map(({ path }) => path));
  const fresh = now.changes.map(({ path }) => path).filter((path) => !known.has(path) && !work.has(path));
  const ofOthers = new Set(pathsOfOthers(state, world.lane, { key, paths: fresh }));
  const ours = fresh.filter((path) => !isBookkeeping(path, world.spec) && !ofOthers.has(path));
  const uncovered = new Set(await uncoveredAmong(world, { base, paths: ours, now }));
  const written = ours.filter((path) => !uncovered.has(path));
  const named = new Set(taskOf(state, key).files.map((file) => file.replace(/^\.\//, '')));
  const made = written.filter((path) => named.has(path));
  const after = await git.fingerprint(tree, [...work.keys(), ...made], work);
  const { gone, rewritten } = differences(work, after);
  const changed = new Set(now.changes.map(({ path }) => path));
  const undone = rewritten.filter((path) => known.has(path) && !changed.has(path));
  const moved = hasMoved(before, now)
    ? {
        head: now.head ?? '',
        ...(now.branch && { branch: now.branch }),
        ...(now.operation && { operation: now.operation }),
      }
    : undefined;
  return {
    now,
    work: after,
    isFit: moved === undefined && gone.length + undone.length === 0,
    rewritten: [...rewritten, ...made],
    // It may belong to other members at work in the same tree.
    outside: world.lane.kind === 'shared' ? [] : written.filter((path) => !named.has(path)),
    proof: { ...(moved && { moved }), ...listed({ gone: [...gone, ...undone] }) },
  };
}

function hasMoved(before: Inspection, now: Inspection): boolean {
  return now.head !== before.head || now.branch !== before.branch || now.operation !== before.operation;
}

/** Keeps what the commands wrote outside the work under a ref, and puts it back. */
async function putBack(world: World, { key, attempt, base }: ProofOrder, { now, outside }: SeenAfter): Promise<Proof> {
  if (outside.length === 0) return {};
  const { git, tree, spec } = world;
  const isOutside = new Set(outside);
  const exclude = now.changes.map(({ path }) => path).filter((path) => !isOutside.has(path));
  const ref = await unusedRef(world, `${keptRef(spec, { key, attempt })}-verify`);
  const message = `specloop: what the Verify command of task ${key}, attempt ${attempt}, wrote`;
  const kept = await git.snapshot(tree, { ref, base, message, exclude });
  await git.putBack(tree, outside);
  const marks = await git.fingerprint(tree, outside);
  const isNew = (path: string) => marks.get(path)?.is === 'absent';
  return {
    ...listed({
      putBack: outside.filter((path) => !isNew(path)),
      setAside: outside.filter(isNew),
    }),
    ...(kept && { kept: ref }),
  };
}

const PATHS_MAX = 200;

/** Only the lists that hold something, the first paths of each. */
function listed(lists: Lists): Lists {
  const entries = Object.entries(lists).filter(([, paths]) => paths.length > 0);
  return Object.fromEntries(entries.map(([name, paths]) => [name, paths.slice(0, PATHS_MAX)]));
}

type Lists = Pick<Proof, 'gone' | 'rewritten' | 'unsettled' | 'putBack' | 'setAside'>;
