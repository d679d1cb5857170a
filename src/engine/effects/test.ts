import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { testFailures } from '../../core/verify/test-failures.ts';
import { runCommand } from '../attempt/verify.ts';
import { watched } from '../attempt/watched.ts';
import type { World } from '../lane/world.ts';

const OUTPUT_BYTES_MAX = 256 * 1024;

/** Runs the project's tests in the clean tree; what they leave is removed, and what judges the work put back (R-START-7, R-VER-14). */
export async function runTests(
  effect: Extract<Effect, { do: 'test' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { result, noticed } = await watched(state, world, { when: 'begin' }, () => testsRun(effect, world));
  if (result.type === 'tests-cancelled') return result;
  await restoreTree(state, world);
  return { ...result, ...(noticed && { noticed }) };
}

type TestsEvent = Extract<RunEvent, { type: 'tests-run' | 'tests-cancelled' }>;

/** What fails again gets a second chance. */
async function testsRun({ when, command, known }: Extract<Effect, { do: 'test' }>, world: World): Promise<TestsEvent> {
  const first = await once(command, world, `tests-${when}`);
  if (first === 'cancelled') return { type: 'tests-cancelled' };
  let { failures } = first;
  let { output } = first;
  const isNew = (name: string) => !known.includes(name);
  if (when !== 'baseline' && failures.some(isNew)) {
    const second = await once(command, world, `tests-${when}-again`);
    if (second === 'cancelled') return { type: 'tests-cancelled' };
    output = second.output;
    failures = failures.filter((name) => isNew(name) && second.failures.includes(name));
  } else if (when !== 'baseline') failures = [];
  return {
    type: 'tests-run',
    when,
    failures,
    output: failures.length > 0 ? output.slice(-8_000) : '',
    durationMs: first.durationMs,
  };
}

interface TestRun {
  readonly failures: readonly string[];
  readonly output: string;
  readonly durationMs: number;
}

async function once(command: string, world: World, log: string): Promise<TestRun | 'cancelled'> {
  const run = await runCommand(world, { command, log: `tests/${log}.log`, outputBytesMax: OUTPUT_BYTES_MAX });
  if (run === 'cancelled') return run;
  return {
    failures: testFailures({ exitCode: run.exitCode, output: run.output }),
    output: run.output,
    durationMs: run.durationMs,
  };
}

/** Puts the tree back to the last commit, but for what is the user's own. */
export async function restoreTree({ branch, tip, foreign }: RunState, { git, tree }: World): Promise<void> {
  const { changes } = await git.inspect(tree);
  if (changes.some(({ path }) => !foreign.includes(path)))
    await git.restore(tree, { branch, commit: tip, exclude: foreign });
}
