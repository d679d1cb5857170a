import { systemClock } from '../../adapters/clock/system.ts';
import type { Envelope } from '../../core/run/event.ts';
import type { RunState } from '../../core/run/state.ts';
import { type OverRun, summary } from '../../core/view/summary.ts';
import { nothingTallied, tally, tallyOf } from '../../core/view/tally.ts';
import type { Activity } from '../../ports/agent.ts';
import type { RunArchive } from '../../ports/store.ts';
import { chooseView, mayColour, mayShowTaskbar, mayUseUnicode } from '../../surfaces/choose.ts';
import { isolate, together } from '../../surfaces/isolate.ts';
import { jsonSurface } from '../../surfaces/json/json.ts';
import { logSurface } from '../../surfaces/log/log.ts';
import { recordsSurface } from '../../surfaces/records/records.ts';
import type { Surface } from '../../surfaces/surface.ts';
import type { SpecPlace } from '../place.ts';
import { commandLine } from '../worktree/command-line.ts';
import type { ImplementInput } from './input.ts';

/** All that shows a run while it goes on, and the words at its end. */
export interface RunSurfaces {
  readonly show: (envelope: Envelope, state: RunState) => void;
  /** An agent was seen to do something. */
  readonly active: (task: string, activity: Activity) => void;
  readonly close: (state: RunState) => Promise<void>;
}

export interface SurfacesOrder {
  readonly place: SpecPlace;
  readonly archive: RunArchive;
  /** The journal of the run that is taken up; empty for a new one. */
  readonly earlier: readonly Envelope[];
}

/** What a program may want goes to stdout, all else to stderr (R-UX-5). */
export async function surfacesFor(input: ImplementInput, order: SurfacesOrder): Promise<RunSurfaces> {
  const { stdout, stderr, options, watch } = input;
  const say = (message: string): void => {
    stderr.write(`${message}\n`);
  };
  let run = '';
  const records = recordsSurface({
    earlier: order.earlier,
    write: (name, text) => order.archive.folder(run).writeRecord(name, text),
  });
  const surfaces = [
    ...(await personSurface(input, order)),
    ...(options.json ? [jsonSurface(stdout)] : []),
    ...(watch ? [{ name: 'the watcher', show: watch, close: async () => {} }] : []),
    records,
  ];
  const shown = together(surfaces.map((surface) => isolate(surface, say)));
  let sum = tallyOf(order.earlier)?.tally ?? nothingTallied;
  return {
    show(envelope, state) {
      run = envelope.run;
      sum = tally(sum, envelope, state);
      shown.show(envelope, state);
    },
    active: shown.active,
    async close(state) {
      await shown.close();
      for (const line of summary({ ...namesOf(input, order, state), state, tally: sum })) say(line);
      if (state.ended?.result === 'completed' && !options.json) stdout.write('ALL_TASKS_COMPLETE\n');
    },
  };
}

/** What a run is called in the words at its end: one in a worktree of its own is taken up from where it was started. */
function namesOf(
  { options }: ImplementInput,
  { place: { spec, repository } }: SurfacesOrder,
  { branch }: RunState,
): Pick<OverRun, 'spec' | 'command' | 'worktree'> {
  if (!options.worktree) return { spec: spec.name };
  const { root: dir } = repository;
  const merge = commandLine('git', 'merge', branch);
  const remove = commandLine('git', 'worktree', 'remove', dir);
  return { spec: spec.name, command: `specloop implement ${spec.name} --worktree`, worktree: { dir, merge, remove } };
}

/** The view that suits where the run is watched: a live screen, plain sentences, or with `quiet` the end alone. */
async function personSurface(
  { stdout, stderr, env, options }: ImplementInput,
  { place, earlier }: SurfacesOrder,
): Promise<readonly Surface[]> {
  const where = {
    stderr: { isTTY: stderr.isTTY === true, ...(stderr.columns === undefined ? {} : { columns: stderr.columns }) },
    stdoutIsTTY: stdout.isTTY === true,
    env,
    json: options.json,
    ui: place.loaded.settings.quiet ? 'silent' : 'auto',
  } as const;
  switch (chooseView(where)) {
    case 'silent':
      return [];
    case 'plain':
      return [logSurface(stderr)];
    case 'live': {
      const before = tallyOf(earlier)?.tally;
      // To know how wide characters are takes as long to load as all else.
      const { terminalSurface } = await import('../../surfaces/terminal/terminal.ts');
      return [
        terminalSurface({
          screen: stderr,
          now: () => Date.parse(systemClock.now()),
          colour: mayColour(where),
          unicode: mayUseUnicode(where),
          taskbar: mayShowTaskbar(where),
          ...(before ? { earlier: before } : {}),
        }),
      ];
    }
  }
}
