import { basename, join } from 'node:path';
import type { Undo } from '../../../core/watch/compare.ts';
import type { IndexFlag, Picture } from '../../../core/watch/picture.ts';
import { GitFault, type Tree } from '../../../ports/git.ts';
import type { PutBack } from '../../../ports/pictures.ts';
import type { GitCalls } from '../calls.ts';
import { readRef } from '../history.ts';
import { listOfPaths } from '../path-bytes.ts';
import type { FilePart } from './part.ts';
import { keepFile, putFileBack } from './seen-file.ts';

interface PutBackPlace {
  readonly main: Tree;
  readonly keepIn: string;
  readonly keepUnder: string;
  readonly parts: readonly FilePart[];
}

interface PutBackOrder {
  readonly before: Picture;
  readonly undos: readonly Undo[];
}

type UndoOf<What extends Undo['what']> = Extract<Undo, { readonly what: What }>;

/** Files first: with the settings as they were, git works in the right place again. */
export async function putBack(calls: GitCalls, place: PutBackPlace, { before, undos }: PutBackOrder): Promise<PutBack> {
  const failed: string[] = [];
  const keptIn = new Set<string>();
  const files = [...new Set(undos.flatMap((undo) => (undo.what === 'file' ? [undo.path] : [])))];
  for (const [at, path] of files.entries()) {
    const part = place.parts.find(({ name }) => name === path);
    const seen = before.files[path]?.seen;
    try {
      if (part !== undefined) {
        await part.write(seen?.bytes);
        continue;
      }
      if (keepFile(path, join(place.keepIn, `${Date.now()}-${at}-${basename(path)}`))) keptIn.add(place.keepIn);
      putFileBack(path, seen);
    } catch (error) {
      failed.push(`${before.files[path]?.shown ?? path} could not be put back: ${wordsOf(error)}.`);
    }
  }
  for (const undo of undos) {
    try {
      if (undo.what === 'ref') for (const ref of await putRefBack(calls, place, undo)) keptIn.add(ref);
      if (undo.what === 'stash') await putStashBack(calls, place, undo);
      if (undo.what === 'flags') await putFlagsBack(calls, undo);
    } catch (error) {
      if (!(error instanceof GitFault)) throw error;
      failed.push(`${nameOf(undo)} could not be put back: ${wordsOf(error)}.`);
    }
  }
  return { keptIn: [...keptIn], failed };
}

function nameOf(undo: Undo): string {
  if (undo.what === 'ref') return undo.name;
  return undo.what === 'stash' ? 'The stash' : 'The flags of the index';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}

/** What a ref was moved to is kept under another one, as commits may hang on it. */
async function putRefBack(
  calls: GitCalls,
  { main, keepUnder }: PutBackPlace,
  { name, to }: UndoOf<'ref'>,
): Promise<readonly string[]> {
  const now = await readRef(calls, main, name);
  const kept = now === undefined ? undefined : `${keepUnder}${name.replace(/^refs\//, '')}`;
  if (kept !== undefined && now !== undefined) await calls.ask(main, ['update-ref', kept, now], { effort: 'work' });
  const target = /^ref: (.+)$/.exec(to ?? '')?.[1];
  if (target !== undefined) await calls.ask(main, ['symbolic-ref', name, target], { effort: 'work' });
  else {
    const args = to === undefined ? ['update-ref', '--no-deref', '-d', name] : ['update-ref', '--no-deref', name, to];
    await calls.ask(main, args, { effort: 'work' });
  }
  return kept === undefined ? [] : [kept];
}

/**
 * The whole stash is made again, oldest first: an entry that went has its old place then. Meanwhile each has a ref of its
 * own, so that a crash in between loses none.
 */
async function putStashBack(
  calls: GitCalls,
  { main, keepUnder }: PutBackPlace,
  { entries }: UndoOf<'stash'>,
): Promise<void> {
  const refs = entries.map(({ commit }) => [`${keepUnder}stash/${commit}`, commit] as const);
  for (const [ref, commit] of refs) await calls.ask(main, ['update-ref', ref, commit], { effort: 'work' });
  await calls.run(main, ['update-ref', '-d', 'refs/stash'], { effort: 'work' });
  for (const { commit, message } of entries.toReversed()) {
    await calls.ask(main, ['stash', 'store', '--quiet', '--message', message, commit], {
      effort: 'work',
      plainPaths: true,
    });
  }
  for (const [ref] of refs) await calls.run(main, ['update-ref', '-d', ref], { effort: 'work' });
}

async function putFlagsBack(calls: GitCalls, { tree, clear, set }: UndoOf<'flags'>): Promise<void> {
  const kinds = ['skip-worktree', 'assume-unchanged'] as const;
  for (const kind of kinds) {
    await flag(calls, { dir: tree }, { option: `--no-${kind}`, flags: clear.filter((one) => one.flag === kind) });
    await flag(calls, { dir: tree }, { option: `--${kind}`, flags: set.filter((one) => one.flag === kind) });
  }
}

async function flag(
  calls: GitCalls,
  tree: Tree,
  { option, flags }: { readonly option: string; readonly flags: readonly IndexFlag[] },
): Promise<void> {
  if (flags.length === 0) return;
  // A path that is in the index no more has no flag, which is no failure.
  await calls.run(tree, ['update-index', option, '-z', '--stdin'], {
    stdin: listOfPaths(flags.map(({ path }) => path)),
    effort: 'work',
  });
}
