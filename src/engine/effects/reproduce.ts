import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { runCommand } from '../attempt/verify.ts';
import { watched } from '../attempt/watched.ts';
import type { World } from '../lane/world.ts';
import { restoreTree } from './test.ts';

const OUTPUT_BYTES_MAX = 8 * 1024;

/** Runs the command that shows the defect of a bug fix; what it leaves is removed, and what judges the work put back (R-BUG-1). */
export async function reproduce(
  { when, command }: Extract<Effect, { do: 'reproduce' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const log = `reproduction/${when}.log`;
  const { result, noticed } = await watched(state, world, { when: 'begin' }, () =>
    runCommand(world, { command, log, outputBytesMax: OUTPUT_BYTES_MAX }),
  );
  if (result === 'cancelled') return { type: 'reproduction-cancelled' };
  await restoreTree(state, world);
  const { how, exitCode, output, durationMs } = result;
  return {
    type: 'reproduction-run',
    when,
    command,
    how,
    ...(exitCode === undefined ? {} : { exitCode }),
    output,
    durationMs,
    ...(noticed && { noticed }),
  };
}
