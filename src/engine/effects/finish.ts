import { fillHash } from '../../core/progress/completed.ts';
import type { Effect } from '../../core/run/effect.ts';
import type { RunEvent } from '../../core/run/event.ts';
import type { RunState } from '../../core/run/state.ts';
import { readPlanText } from '../plan-text.ts';
import { specPath, type World } from '../world.ts';

/** Brings a run to its end: the last commit and the archive when all is done, otherwise only the word (R-ADV-3, R-RETRY-5). */
export async function finish(
  { result, reason }: Extract<Effect, { do: 'finish' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  if (result === 'interrupted') return { type: 'run-halted', result, reason };
  if (result !== 'completed') return { type: 'run-finished', result, reason, head: state.tip };
  const open = await untickedTasks(world);
  if (open.length > 0) {
    return {
      type: 'run-finished',
      result: 'stuck',
      reason: `ERROR: tasks.md has open boxes again: ${open.join(', ')}. Run again to do them.`,
      head: state.tip,
    };
  }
  const head = await commitWhatIsLeft(state, world);
  await archiveState(world);
  return { type: 'run-finished', result, reason, head };
}

async function untickedTasks({ files }: World): Promise<readonly string[]> {
  const plan = readPlanText(await files.read('tasks.md'));
  return plan.tasks.filter((task) => !task.checked).map((task) => task.id);
}

/** The newest progress entry gets its hash; a commit cannot name itself (R-ADV-1). */
async function commitWhatIsLeft({ carried, foreign, tip, policy }: RunState, world: World): Promise<string> {
  const { files, git, tree, spec } = world;
  const before = await files.read('.progress.md');
  if (policy.bookkeeping === 'coordinator' && before !== undefined && carried.unnamed) {
    const after = fillHash(before, { id: carried.unnamed.id, hash: carried.unnamed.commit.slice(0, 8) });
    if (after !== before) await files.write('.progress.md', after);
  }
  const done = await git.commit(tree, {
    message: `chore(spec): final progress update for ${spec.name}`,
    trailers: {},
    paths: [specPath(world, 'tasks.md'), specPath(world, '.progress.md')],
    spareIndex: foreign.length > 0,
  });
  return done.how === 'committed' ? done.commit : tip;
}

async function archiveState({ files, folder, stateFile }: World): Promise<void> {
  if (stateFile.text !== undefined) await folder.writeRecord('ralph-state.json', stateFile.text);
  await files.remove('.ralph-state.json');
}
