import type { SpecPlace } from '../../app/place.ts';
import type { StartScene } from '../../app/start/order.ts';
import { coverageCount } from '../../core/artifact/coverage-text.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import { type OverRun, summary } from '../../core/view/totals/summary.ts';
import { nothingTallied, tally, tallyOf } from '../../core/view/totals/tally.ts';
import { chooseView, mayColour, mayShowTaskbar, mayUseUnicode } from '../../surfaces/choose.ts';
import { jsonSurface } from '../../surfaces/json/json.ts';
import { logSurface } from '../../surfaces/log/log.ts';
import type { Surface } from '../../surfaces/surface.ts';
import type { Surroundings } from '../shared/command.ts';

const URL_CHARS_MAX = 500;

/** What is shown of one run. */
export interface RunScreen {
  readonly surfaces: (scene: StartScene) => Promise<readonly Surface[]>;
  /** Says how the run ended. */
  readonly end: (state: RunState) => Promise<void>;
}

/** How a run is to be shown. */
export interface Look {
  /** Print the events on stdout. */
  readonly json: boolean;
  /** Print what agents do as well. */
  readonly agentEvents?: boolean;
  /** It is in a worktree that was asked for. */
  readonly worktree?: boolean;
}

/** What a program may want goes to stdout, all else to stderr (R-UX-5). */
export function screenOf(surroundings: Surroundings, look: Look): RunScreen {
  const { stdout, stderr } = surroundings;
  let names: (state: RunState) => Pick<OverRun, 'spec' | 'operand' | 'command' | 'worktree'> = () => ({ spec: '' });
  let sum = nothingTallied;
  let coverage = async (): Promise<string | undefined> => undefined;
  const counting: Surface = {
    name: 'the summary',
    show(envelope, state) {
      sum = tally(sum, envelope, state);
    },
    close: async () => {},
  };
  return {
    async surfaces(scene) {
      names = (state) => namesOf(look, scene, state);
      coverage = () => coverageLine(scene.place, surroundings);
      sum = tallyOf(scene.earlier)?.tally ?? nothingTallied;
      const shown = await personSurface(surroundings, look, scene);
      const more = look.agentEvents ? { agentEvents: { now: () => new Date().toISOString() } } : {};
      return [...shown, ...(look.json ? [jsonSurface(stdout, more)] : []), counting];
    },
    async end(state) {
      for (const line of summary({ ...names(state), state, tally: sum })) stderr.write(`${line}\n`);
      if (state.ended?.result !== 'completed' || state.planning !== undefined) return;
      const covered = await coverage();
      if (covered !== undefined) stderr.write(`${covered}\n`);
      if (!look.json) stdout.write(`ALL_TASKS_COMPLETE\n${addressOf(state)}`);
    },
  };
}

/** How much of what was wanted is proven, where the spec has requirements with ids (R-TRACE-1). */
async function coverageLine(place: SpecPlace, { env }: Pick<Surroundings, 'env'>): Promise<string | undefined> {
  const { coverageIfAny } = await import('../../app/spec/coverage.ts');
  const coverage = await coverageIfAny(place, { env });
  return coverage && `${coverageCount(coverage)} See "specloop coverage ${commandLine(place.spec.operand)}".`;
}

/** The address of the pull request, on the line after (R-UX-5). */
function addressOf({ pullRequest }: RunState): string {
  const url = pullRequest?.pullRequest?.url;
  return url === undefined ? '' : `${oneLine(url, URL_CHARS_MAX)}\n`;
}

/** What a run is called in the words at its end: one in a worktree of its own is taken up from where it was started. */
function namesOf(
  { worktree = false }: Look,
  { place: { spec, repository }, isElsewhere }: StartScene,
  { branch, planning }: RunState,
): Pick<OverRun, 'spec' | 'operand' | 'command' | 'worktree'> {
  const { name, operand } = spec;
  if (!worktree && !isElsewhere) return { spec: name, operand };
  const { root: dir } = repository;
  const merge = commandLine('git', 'merge', branch);
  const remove = commandLine('git', 'worktree', 'remove', dir);
  // Planning is found there without the option.
  if (planning !== undefined) return { spec: name, operand, worktree: { dir } };
  return {
    spec: name,
    operand,
    command: `specloop implement ${commandLine(operand)} --worktree`,
    worktree: { dir, merge, remove },
  };
}

/** The view that suits where the run is watched: a live screen, plain sentences, or with `quiet` the end alone. */
async function personSurface(
  { stdout, stderr, env }: Surroundings,
  { json }: Look,
  { place, earlier }: StartScene,
): Promise<readonly Surface[]> {
  const where = {
    stderr: { isTTY: stderr.isTTY === true, ...(stderr.columns === undefined ? {} : { columns: stderr.columns }) },
    stdoutIsTTY: stdout.isTTY === true,
    env,
    json,
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
          now: Date.now,
          colour: mayColour(where),
          unicode: mayUseUnicode(where),
          taskbar: mayShowTaskbar(where),
          ...(before ? { earlier: before } : {}),
        }),
      ];
    }
  }
}
