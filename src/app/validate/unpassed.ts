import { allowedEnvironment, withheldNames } from '../../adapters/process/environment.ts';
import type { Settings } from '../../config/schema.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { idText } from '../../core/text/words.ts';
import { readWithout } from '../../core/verify/not-passed.ts';
import type { Host } from '../host.ts';

/** Which Verify commands read variables that are set for the person and that they would not get, a sentence each (R-SEC-2). */
export function unpassedLines(
  { tasks }: Plan,
  { env, settings }: Pick<Host, 'env'> & { readonly settings: Settings },
): readonly string[] {
  const withheld = withheldNames(env, allowedEnvironment(env, { pass: settings.passEnv }));
  return tasks.flatMap(({ id, verifyCommand }) => {
    const names = verifyCommand === null ? [] : readWithout(verifyCommand, withheld);
    if (names.length === 0) return [];
    const which = names.length === 1 ? 'which is' : 'which are';
    return [`${idText(id)} reads ${names.join(', ')}, ${which} set here but not passed (see --pass-env).`];
  });
}
