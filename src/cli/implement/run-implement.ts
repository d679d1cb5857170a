import type { OnStop, Preview, StartOrder } from '../../app/start/order.ts';
import { start } from '../../app/start/start.ts';
import { unpassedLines } from '../../app/validate/unpassed.ts';
import { dialectNotes } from '../../core/view/dialect-notes.ts';
import { planNotes } from '../../core/view/plan-notes.ts';
import { tasksAhead } from '../../core/view/tasks-ahead.ts';
import type { Surroundings } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { exitCodeOf, signalExitCode } from './exit-code.ts';
import { type Look, screenOf } from './screen.ts';

/** The operands and options of one call of `implement`, read. */
export type ImplementOrder = Omit<StartOrder, 'surfaces' | 'onStop'> & Look;

/** Runs a spec to its end and shows it; resolves with the exit code (R-UX-4). Throws `UserError` and `HaltedRun`. */
export async function runImplement(surroundings: Surroundings, order: ImplementOrder, onStop: OnStop): Promise<number> {
  const { surfaces, end } = screenOf(surroundings, order);
  const outcome = await start(hostOf(surroundings), { ...order, surfaces, onStop });
  switch (outcome.is) {
    case 'stopped':
      return signalExitCode(outcome.signal);
    case 'preview':
      surroundings.stdout.write(
        previewLines(outcome.preview, surroundings)
          .map((line) => `${line}\n`)
          .join(''),
      );
      return EXIT.ok;
    case 'run':
      await end(outcome.state);
      return exitCodeOf(outcome.state);
  }
}

/** What a run would do, and what to know of its plan (R-START-8). */
function previewLines(preview: Preview, { env }: Pick<Surroundings, 'env'>): readonly string[] {
  const { place, plan, policy } = preview;
  const { spec, loaded } = place;
  return [
    ...tasksAhead({ ...preview, spec }),
    ...unpassedLines(plan, { env, settings: loaded.settings }),
    ...dialectNotes(plan, policy, { isForced: spec.isForced }),
    ...planNotes(plan),
    'Nothing was changed.',
  ];
}
