import type { End } from './life.ts';
import { PROGRESS, STATE, TASKS, type World } from './world.ts';

/** What a life comes to, apart from what may differ between a life with crashes and one without (I6). */
export function outcomeOf(world: World, ends: readonly End[]): Readonly<Record<string, unknown>> {
  const { repository, tree, personal, scenario } = world;
  const history = [...repository.history(world.tip)].reverse().slice(2);
  const names = new Map(history.map(({ id }, at) => [id.slice(0, 8), `commit ${at}`]));
  const progress = tree.files
    .get(PROGRESS)
    ?.replaceAll(/\b[0-9a-f]{8}\b/g, (hash) => names.get(hash) ?? hash)
    .split('\n');
  const isOurs = (path: string) => path === TASKS || path === PROGRESS || path === STATE || personal.has(path);
  const last = ends.at(-1);
  const told = (scenario.policy.jobs ?? 1) > 1 ? inAnyOrder : asTheyAre;
  return {
    result: last?.how === 'over' ? last.state.ended?.result : last?.how,
    subjects: told(history.map(({ text }) => text.split('\n')[0] ?? '')),
    plan: tree.files.get(TASKS),
    progress: told(progress ?? []),
    files: Object.fromEntries([...tree.files].filter(([path]) => !isOurs(path)).sort()),
  };
}

const asTheyAre = (lines: readonly string[]) => lines;

/** A member of a batch that lost an attempt is recorded after its neighbours, and stands elsewhere in a plan that grew. */
const inAnyOrder = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/commit \d+$/, 'commit').replace(/for task \d+$/, 'for a task')).sort();
