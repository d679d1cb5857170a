import type { OnStop, StartOrder } from '../../app/start/order.ts';
import { start } from '../../app/start/start.ts';
import type { Surroundings } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { printPreview } from './dry-run.ts';
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
      printPreview(surroundings, outcome.preview);
      return EXIT.ok;
    case 'run':
      await end(outcome.state);
      return exitCodeOf(outcome.state);
  }
}
