import type { MeasuredCommand } from '../../core/planning/project-commands.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import type { VerifyRun } from '../../core/verify/evidence.ts';
import { isProblem } from '../../ports/workspace.ts';
import { tryCommands } from '../attempt/try-commands.ts';
import type { World } from '../lane/world.ts';

const NAME = 'measured';
const LINE_CHARS_MAX = 200;
/** What npm says of itself after what a script printed. */
const OF_NPM = /^npm (?:notice|warn|error|ERR!)/;

/** Runs the quality commands of the project once, so that the authors of documents need not guess what they do (R-PLAN-2). */
export async function measure(
  { commands }: Extract<Effect, { do: 'measure' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const tried = await tryCommands(
    commands.map(({ command }) => command),
    state,
    { world, name: NAME },
  );
  if (tried === 'cancelled') return { type: 'measuring-cancelled' };
  if (isProblem(tried))
    return { type: 'commands-measured', measured: [], notes: [`No quality command was run: ${tried.problem}`] };
  const measured = commands.flatMap((one): readonly MeasuredCommand[] => {
    const run = tried.runs.get(one.command);
    return run === undefined ? [] : [{ ...one, ...resultOf(run) }];
  });
  return { type: 'commands-measured', measured, ...(tried.noticed && { noticed: tried.noticed }) };
}

function resultOf({
  how,
  exitCode,
  durationMs,
  output,
}: VerifyRun): Omit<MeasuredCommand, 'kind' | 'command' | 'from'> {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !OF_NPM.test(line));
  const last = exitCode === 0 ? '' : oneLine(lines.at(-1) ?? '', LINE_CHARS_MAX);
  return {
    how,
    durationMs,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(last === '' ? {} : { lastLine: last }),
  };
}
