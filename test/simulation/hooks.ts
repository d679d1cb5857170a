import type { MemoryRepository } from '../memory/repository.ts';
import type { World } from './world.ts';

/**
 * The commit hooks, and the signing, of the user: what they forbid or repair stands in the files; what a person has to
 * put right in the scenario (R-ADV-5).
 */
export function hooksOf(world: World): NonNullable<MemoryRepository['hook']> {
  return ({ files }) => {
    world.commitsTried += 1;
    const { refusal } = world.scenario;
    if (refusal && !world.isMended && world.commitsTried >= refusal.from) {
      if (refusal.by === 'work') world.isMended = true;
      return { by: refusal.by, output: `${refusal.by}: not today.` };
    }
    if ([...files.values()].some((text) => text.includes('FORBIDDEN'))) return 'FORBIDDEN is forbidden.';
    const repairs = [...files].flatMap(([path, text]) => {
      const better = repaired(text);
      return better === text ? [] : [[path, better] as const];
    });
    return repairs.length === 0 ? undefined : { output: 'Formatted.', repairs: Object.fromEntries(repairs) };
  };
}

/** What a hook makes of the text of a file. */
export function repaired(text: string): string {
  return text.replace('UNTIDY', 'tidy').replace(/done: .*\nUGLY/, 'nothing');
}
