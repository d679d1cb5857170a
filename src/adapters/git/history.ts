import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitLine, Tree } from '../../ports/git.ts';
import { GitFault } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { faultOf } from './fault.ts';
import { branchRefIn, commonFolderOf, gitFolderOf, lacksRef, lacksRefsBelow, looseCommit } from './git-folder.ts';

/** See `Git.findRecord`. Only what HEAD reaches counts: git writes the reflog before the branch has moved. */
export async function findRecord(
  calls: GitCalls,
  tree: Tree,
  { since, trailers }: { readonly since: string; readonly trailers: Readonly<Record<string, string>> },
): Promise<string | undefined> {
  const output = await calls.ask(tree, [
    'log',
    '-z',
    '--no-color',
    '--no-show-signature',
    '--no-notes',
    '--format=%H%n%B',
    `${revision(since)}..HEAD`,
    '--',
  ]);
  const found = output
    .toString()
    .split('\0')
    .find((entry) => carries(entry.slice(entry.indexOf('\n') + 1), trailers));
  return found?.slice(0, found.indexOf('\n'));
}

/**
 * Whether one paragraph of a commit's text, not its subject, has all the trailers as lines. Git itself takes only the
 * last paragraph for trailers, but a hook may have added one of its own after ours.
 */
function carries(text: string, trailers: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(trailers).map(([key, value]) => `${key}: ${value}`);
  const paragraphs = text.split(/\n[ \t]*\n/).slice(1);
  return wanted.length > 0 && paragraphs.some((paragraph) => includesAll(paragraph.split('\n'), wanted));
}

function includesAll(lines: readonly string[], wanted: readonly string[]): boolean {
  const there = new Set(lines.map((line) => line.trimEnd()));
  return wanted.every((line) => there.has(line));
}

/** See `Git.trailerValues`. */
export async function trailerValues(
  calls: GitCalls,
  tree: Tree,
  { trailer, path }: { readonly trailer: string; readonly path: string },
): Promise<ReadonlySet<string> | undefined> {
  if (existsSync(join(await commonFolderOf(await gitFolderOf(tree)), 'shallow'))) return undefined;
  const args = ['log', '-z', '--no-color', '--no-show-signature', '--no-notes', '--format=%B', 'HEAD', '--', path];
  const texts = (await calls.ask(tree, args)).toString().split('\0');
  return new Set(texts.flatMap((text) => valuesOf(text, trailer)));
}

/** The values of a trailer in the text of a commit, its subject aside. */
function valuesOf(text: string, trailer: string): readonly string[] {
  const lines = text
    .split(/\n[ \t]*\n/)
    .slice(1)
    .join('\n')
    .split('\n');
  return lines.flatMap((line) => (line.startsWith(`${trailer}: `) ? [line.slice(trailer.length + 2).trim()] : []));
}

/** See `Git.commitsBetween`. */
export async function commitsBetween(
  calls: GitCalls,
  tree: Tree,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<readonly CommitLine[]> {
  const plain = ['-z', '--no-color', '--no-show-signature', '--no-notes', '--max-count=1000', '--format=%an%n%s'];
  const output = await calls.ask(tree, ['log', ...plain, `${revision(base)}..${revision(head)}`, '--']);
  const entries = output
    .toString()
    .split('\0')
    .filter((entry) => entry !== '');
  return entries.map((entry) => ({
    author: entry.slice(0, entry.indexOf('\n')),
    subject: entry.slice(entry.indexOf('\n') + 1).trimEnd(),
  }));
}

/** See `Git.isAncestor`. A commit that the repository does not have is no one's ancestor. */
export async function isAncestor(
  calls: GitCalls,
  tree: Tree,
  { ancestor, commit }: { readonly ancestor: string; readonly commit: string },
): Promise<boolean> {
  if (ancestor === commit) return true;
  const answer = await calls.run(tree, ['merge-base', '--is-ancestor', revision(ancestor), revision(commit)]);
  if (answer.code === 0 || answer.code === 1) return answer.code === 0;
  if (/Not a valid (commit|object) name/.test(answer.stderr)) return false;
  throw faultOf('merge-base', answer);
}

/** See `Git.readRef`. */
export async function readRef(calls: GitCalls, tree: Tree, ref: string): Promise<string | undefined> {
  const folder = await commonFolderOf(await gitFolderOf(tree));
  const loose = await looseCommit(join(folder, fullRef(ref)));
  if (loose !== undefined) return loose;
  if (await lacksRef(folder, fullRef(ref))) return undefined;
  return resolved(calls, tree, ref);
}

/** See `Git.setRef`. */
export async function setRef(
  calls: GitCalls,
  tree: Tree,
  { ref, commit }: { readonly ref: string; readonly commit: string },
): Promise<void> {
  await calls.ask(tree, ['update-ref', fullRef(ref), revision(commit)], { effort: 'work' });
}

/** See `Git.removeRefs`. */
export async function removeRefs(calls: GitCalls, tree: Tree, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  const stdin = refs.map((ref) => `delete ${fullRef(ref)}\n`).join('');
  await calls.ask(tree, ['update-ref', '--stdin'], { stdin, effort: 'work' });
}

/** See `GitListing.branchesBelow`. */
export async function branchesBelow(calls: GitCalls, tree: Tree, prefix: string): Promise<ReadonlyMap<string, string>> {
  if (await lacksRefsBelow(await commonFolderOf(await gitFolderOf(tree)), prefix)) return new Map();
  const output = await calls.ask(tree, ['for-each-ref', '--format=%(refname) %(objectname)', prefix]);
  const lines = output
    .toString()
    .split('\n')
    .filter((text) => text !== '');
  return new Map(
    lines.map((text): [string, string] => [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)]),
  );
}

/** See `Git.unwind`. The index stays as well: what was staged stays so. */
export async function unwind(calls: GitCalls, tree: Tree, commit: string): Promise<void> {
  await calls.ask(tree, ['reset', '--soft', '-q', revision(commit)], { effort: 'work' });
}

/** See `Git.switchToNewBranch`. */
export async function switchToNewBranch(calls: GitCalls, tree: Tree, branch: string): Promise<void> {
  if ((await branchRefIn(await gitFolderOf(tree))) === `refs/heads/${branch}`) return;
  await calls.ask(tree, ['switch', '--quiet', '--no-track', '--create', branch], { effort: 'work' });
}

/** The commit of HEAD, read from the ref's file where git keeps one, which saves a process. */
export async function headOf(calls: GitCalls, tree: Tree): Promise<string | undefined> {
  const folder = await gitFolderOf(tree);
  const ref = await branchRefIn(folder);
  const loose = await looseCommit(ref === undefined ? join(folder, 'HEAD') : join(await commonFolderOf(folder), ref));
  return loose ?? resolved(calls, tree, 'HEAD');
}

async function resolved(calls: GitCalls, tree: Tree, name: string): Promise<string | undefined> {
  const answer = await calls.run(tree, ['rev-parse', '--quiet', '--verify', `${name}^{commit}`]);
  return answer.code === 0 ? answer.stdout.toString().trimEnd() : undefined;
}

/** A ref of one of our own names; `..` and the like would leave the folder in which refs are read. */
function fullRef(ref: string): string {
  const segments = ref.split('/');
  if (
    segments[0] === 'refs' &&
    segments.length > 2 &&
    !segments.some((segment) => /^\.|^$|\.\.|\.lock$|[\s~^:?*[\\]/.test(segment))
  )
    return ref;
  throw new GitFault('other', `"${ref}" is not a valid ref name.`);
}
