import { memoryHands } from '../memory/hands.ts';
import type { MemoryTree } from '../memory/repository.ts';
import { putFile, removePath } from '../memory/tree.ts';
import { exitCodeOf } from './shell.ts';
import { TRACKED, type World } from './world.ts';

/** A Verify command at work on a file that has it do more than to pass. */
interface Running {
  readonly world: World;
  readonly dir: string;
  readonly tree: MemoryTree;
  /** The file that it proves. */
  readonly path: string;
  readonly text: string;
}

const write = ({ tree, path }: Running, text: string) => putFile(tree.files, path, text);

/** What a Verify command may do to the tree in which it passes (R-VER-13). */
const CHECKS = {
  formats: (at: Running) => write(at, at.text.replace('check: formats', 'formatted')),
  litters: ({ tree, path }: Running) => {
    putFile(tree.files, path.replace('work/', 'report/'), 'all is well\n');
    putFile(tree.files, TRACKED, `seen by the check of ${path}\n`);
  },
  churns: (at: Running) => write(at, `${at.text}once more\n`),
  removes: ({ tree, path }: Running) => removePath(tree.files, path),
  commits: ({ world, dir }: Running) => void memoryHands(world.repository, dir).commitAll('check'),
  switches: ({ world, dir, path }: Running) =>
    memoryHands(world.repository, dir).branchOff(`check-${path.replace(/\W/g, '-')}`),
};

export type CheckName = keyof typeof CHECKS;

/** After these the work cannot be recorded. */
const SPOILING: ReadonlySet<string> = new Set<CheckName>(['churns', 'removes', 'commits', 'switches']);

/** The line in a file that has its Verify command do this. */
export function askFor(check: CheckName): string {
  return `check: ${check}`;
}

/** Runs a Verify command of a simulated plan in a tree: its exit code, and what it does there. What it proved is noted. */
export function runCheck(world: World, { command, dir }: { readonly command: string; readonly dir: string }): number {
  const tree = world.repository.tree(dir);
  const code = exitCodeOf(command, tree.files);
  if (code !== 0) return code;
  for (const path of provedBy(command)) {
    const text = tree.files.get(path);
    if (text === undefined) continue;
    const [, name = ''] = /^check: (\w+)$/m.exec(text) ?? [];
    if (name in CHECKS) CHECKS[name as CheckName]({ world, dir, tree, path, text });
    if (SPOILING.has(name)) world.spoil(path);
    if (tree.files.get(path) === text) world.proved.set(path, text);
    else world.proved.delete(path);
  }
  return 0;
}

/** The files of work that a command looks at. */
export function provedBy(command: string): readonly string[] {
  return command.match(/work\/\S+\.txt/g) ?? [];
}
