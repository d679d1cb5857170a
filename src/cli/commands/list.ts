import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import { listSpecs, resolveSpec, type SpecFolder } from '../../adapters/store/spec-folder.ts';
import { parsePlan } from '../../core/plan/parse.ts';
import { visible } from '../../core/text/sanitise.ts';
import type { Owner } from '../../ports/store.ts';
import { type Call, type Command, isSet, jsonOption } from '../command.ts';
import { findPlace, type Place } from '../place.ts';
import { PLAN_BYTES_MAX } from '../plan-file.ts';
import { printJson } from '../print.ts';
import { holderOf, ownerText, runningJson } from '../runs.ts';
import { homeOf } from '../worktree/home.ts';

/** Lists all specs with their progress (R-PLAN-1). */
export const list: Command = {
  operands: [],
  options: [jsonOption],
  examples: [['list', 'Lists the specs. The active one is marked with a star.']],
  run: async (call) => {
    const place = await findPlace(call);
    const active = await resolveSpec(place.roots);
    const current = active.ok ? active.spec.dir : undefined;
    const folders = await listSpecs(place.roots);
    const entries = await Promise.all(
      folders.map((spec) => entryOf(place, { spec, isCurrent: spec.dir === current }, call)),
    );
    if (isSet(call, '--json')) printJson(call.stdout, entries.map(entryJson));
    else if (entries.length > 0) call.stdout.write(`${entryLines(entries).join('\n')}\n`);
    else call.stderr.write(visible(`There are no specs in ${place.roots.specsDirs.join(', ')}.\n`));
    return 0;
  },
};

interface Entry {
  readonly spec: SpecFolder;
  readonly isCurrent: boolean;
  /** Absent if there is no plan that can be read. */
  readonly progress?: { readonly total: number; readonly done: number };
  readonly isRunning: boolean;
  readonly owner?: Owner;
  /** The other tree that its newest run works in; the progress is from there. */
  readonly worktree?: string;
}

async function entryOf(
  place: Place,
  { spec, isCurrent }: Pick<Entry, 'spec' | 'isCurrent'>,
  surroundings: Pick<Call, 'env'>,
): Promise<Entry> {
  const { repository } = place;
  if (repository === undefined) return { spec, isCurrent, isRunning: false, ...progressOf(spec) };
  const home = await homeOf({ ...place, repository, spec }, surroundings);
  const holding = await holderOf({ repository, spec });
  return {
    spec,
    isCurrent,
    ...progressOf(home.place.spec),
    isRunning: holding.held,
    ...(holding.held && holding.owner && { owner: holding.owner }),
    ...(home.elsewhere && { worktree: home.elsewhere.dir }),
  };
}

function progressOf({ dir }: SpecFolder): Pick<Entry, 'progress'> {
  try {
    const text = readText(join(dir, 'tasks.md'), PLAN_BYTES_MAX);
    const tasks = text === undefined ? [] : parsePlan(text).tasks;
    const done = tasks.filter((task) => task.checked).length;
    return tasks.length === 0 ? {} : { progress: { total: tasks.length, done } };
  } catch {
    return {}; // One plan that cannot be read must not hide the others; `validate` tells why.
  }
}

function entryJson({ spec, isCurrent, progress, isRunning, owner, worktree }: Entry) {
  const { total = null, done = null } = progress ?? {};
  return {
    name: spec.name,
    path: spec.path,
    total,
    done,
    current: isCurrent,
    worktree: worktree ?? null,
    running: runningJson({ held: isRunning, ...(owner && { owner }) }),
  };
}

function entryLines(entries: readonly Entry[]): readonly string[] {
  const width = Math.max(...entries.map(({ spec }) => spec.name.length));
  return entries.map(({ spec, isCurrent, progress, isRunning, owner, worktree }) => {
    const many = progress === undefined ? 'no plan' : `${progress.done}/${progress.total}`;
    const running = isRunning ? `  running: ${owner === undefined ? 'another process' : ownerText(owner)}` : '';
    const where = worktree === undefined ? '' : `  in ${worktree}`;
    return `${isCurrent ? '*' : ' '} ${spec.name.padEnd(width)}  ${many.padStart(7)}  ${spec.path}${where}${running}`;
  });
}
