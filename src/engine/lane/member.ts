import type { Plan } from '../../core/plan/data/task.ts';
import { isProblem, type Workspace, type WorkspaceProblem } from '../../ports/workspace.ts';
import { noStateFile } from './state-file.ts';
import { TrustedPlan } from './trusted-plan.ts';
import { type OpenLane, planPath, type World } from './world.ts';

/** The world as the agent of one task finds it: the user's tree, or the worktree of a batch's member (R-PAR-3). */
export async function openPlace(world: World, key: string): Promise<World | WorkspaceProblem> {
  const { lane } = world;
  if (lane.kind !== 'worktree') return world;
  const [workspace, plan] = await Promise.all([
    world.workspaces.open({ name: key, base: lane.base, signal: world.signal }),
    planAt(world, lane.base),
  ]);
  return isProblem(workspace) ? workspace : apart(world, plan, workspace);
}

/** The same for work that was begun; `undefined` if the worktree is gone, and the work with it. */
export async function findPlace(world: World, key: string): Promise<World | undefined> {
  const { lane } = world;
  if (lane.kind !== 'worktree') return world;
  const workspace = await world.workspaces.find(key);
  return workspace && apart(world, await planAt(world, lane.base), workspace);
}

function apart(world: World, plan: Plan, { tree, branch, specDir, files }: Workspace): World {
  const own: OpenLane = {
    lane: world.lane,
    tree,
    ownBranch: branch,
    files,
    spec: { ...world.spec, dir: specDir },
    plan: new TrustedPlan(plan, world.spec.format),
    stateFile: noStateFile,
    // Its progress file is a copy, of which only what was learned is taken.
    progress: { ...world.progress, mend: async () => undefined },
  };
  return { ...world, ...own };
}

/** The plan as it was where the batch began; where the repository ignores the spec, as it is. */
async function planAt(world: World, base: string): Promise<Plan> {
  const text = await world.git.fileAt(world.tree, base, planPath(world));
  return text === undefined ? world.plan.plan : world.plan.read(text);
}
