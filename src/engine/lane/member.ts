import type { Plan } from '../../core/plan/task.ts';
import { isMember } from '../../core/run/batch.ts';
import { isInTree, progressFileOf } from '../../core/run/lane-of.ts';
import type { RunState } from '../../core/run/state.ts';
import { isProblem, type Workspace, type WorkspaceProblem } from '../../ports/workspace.ts';
import { noStateFile } from './state-file.ts';
import { TrustedPlan } from './trusted-plan.ts';
import { planPath, type World } from './world.ts';

/** The world as the agent of one task finds it: the user's tree, or the worktree of a batch's member (R-PAR-3). */
export async function openPlace(state: RunState, world: World, key: string): Promise<World | WorkspaceProblem> {
  if (isInTree(state, key)) return inTree(state, world, key);
  const base = state.batch?.base ?? state.tip;
  const [workspace, plan] = await Promise.all([
    world.workspaces.open({ name: key, base, signal: world.signal }),
    planAt(world, base),
  ]);
  return isProblem(workspace) ? workspace : apart(world, plan, workspace);
}

/** The same for work that was begun; `undefined` if the worktree is gone, and the work with it. */
export async function findPlace(state: RunState, world: World, key: string): Promise<World | undefined> {
  if (isInTree(state, key)) return inTree(state, world, key);
  const workspace = await world.workspaces.find(key);
  return workspace && apart(world, await planAt(world, state.batch?.base ?? state.tip), workspace);
}

/** Members that share a tree write progress files of their own (R-PAR-3). */
function inTree(state: RunState, world: World, key: string): World {
  if (!isMember(state, key)) return world;
  return { ...world, progressFile: progressFileOf(state, key) };
}

function apart(world: World, plan: Plan, { tree, branch, specDir, files }: Workspace): World {
  return {
    ...world,
    tree,
    ownBranch: branch,
    files,
    spec: { ...world.spec, dir: specDir },
    plan: new TrustedPlan(plan, world.spec.format),
    stateFile: noStateFile,
  };
}

/** The plan as it stood where the batch began; where the repository ignores the spec, as it stands. */
async function planAt(world: World, base: string): Promise<Plan> {
  const text = await world.git.fileAt(world.tree, base, planPath(world));
  return text === undefined ? world.plan.plan : world.plan.read(text);
}
