import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import { listSpecs, resolveSpec, type SpecFolder } from '../../adapters/store/spec-folder.ts';
import { parsePlan } from '../../core/spec/parse.ts';
import type { Owner } from '../../ports/store.ts';
import { type Command, isSet, jsonOption } from '../command.ts';
import { findPlace, type Place } from '../place.ts';
import { PLAN_BYTES_MAX } from '../plan-file.ts';
import { printJson } from '../print.ts';
import { holderOf, ownerText, runningJson } from '../runs.ts';

/** Lists all specs with their progress (R-PLAN-1). */
export const list: Command = {
  operands: [],
  options: [jsonOption],
  examples: [['list', 'Lists the specs; the active one has a star.']],
  run: async (call) => {
    const place = await findPlace(call);
    const active = await resolveSpec(place.roots);
    const current = active.ok ? active.spec.dir : undefined;
    const folders = await listSpecs(place.roots);
    const entries = await Promise.all(folders.map((spec) => entryOf(place, spec, spec.dir === current)));
    if (isSet(call, '--json')) printJson(call.stdout, entries.map(entryJson));
    else if (entries.length > 0) call.stdout.write(`${entryLines(entries).join('\n')}\n`);
    else call.stderr.write(`There are no specs in ${place.roots.specsDirs.join(', ')}.\n`);
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
}

async function entryOf({ repository }: Place, spec: SpecFolder, isCurrent: boolean): Promise<Entry> {
  const progress = progressOf(spec);
  const holding = repository === undefined ? undefined : await holderOf({ repository, spec });
  const owner = holding?.held ? holding.owner : undefined;
  return { spec, isCurrent, isRunning: holding?.held === true, ...(progress && { progress }), ...(owner && { owner }) };
}

function progressOf({ dir }: SpecFolder): Entry['progress'] {
  try {
    const text = readText(join(dir, 'tasks.md'), PLAN_BYTES_MAX);
    const tasks = text === undefined ? [] : parsePlan(text).tasks;
    return tasks.length === 0 ? undefined : { total: tasks.length, done: tasks.filter((task) => task.checked).length };
  } catch {
    return undefined; // One plan that cannot be read must not hide the others; `validate` tells why.
  }
}

function entryJson({ spec, isCurrent, progress, isRunning, owner }: Entry) {
  const { total = null, done = null } = progress ?? {};
  return {
    name: spec.name,
    path: spec.path,
    total,
    done,
    current: isCurrent,
    running: runningJson({ held: isRunning, ...(owner && { owner }) }),
  };
}

function entryLines(entries: readonly Entry[]): readonly string[] {
  const width = Math.max(...entries.map(({ spec }) => spec.name.length));
  return entries.map(({ spec, isCurrent, progress, isRunning, owner }) => {
    const many = progress === undefined ? 'no plan' : `${progress.done}/${progress.total}`;
    const running = isRunning ? `  running: ${owner === undefined ? 'another process' : ownerText(owner)}` : '';
    return `${isCurrent ? '*' : ' '} ${spec.name.padEnd(width)}  ${many.padStart(7)}  ${spec.path}${running}`;
  });
}
