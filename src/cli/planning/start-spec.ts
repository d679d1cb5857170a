import { findPlace, findSpec, inRepository } from '../../app/place.ts';
import { isThere } from '../../app/planning/comes-next.ts';
import { specToMake } from '../../app/planning/new-spec.ts';
import type { Call } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf } from '../shared/setting-options.ts';
import { continueSpec } from './continue-spec.ts';
import { choicesOf, isQuick } from './options.ts';
import { runNew } from './run-new.ts';
import { runQuick } from './run-quick.ts';

/** Makes the spec that is named, or goes on with what comes next, and says what that is; resolves with the exit code. */
export async function startSpec(call: Call, { suffix }: { readonly suffix: boolean }): Promise<number> {
  const host = hostOf(call);
  const [name, ...goal] = call.operands;
  const place = await findPlace(host, flagsOf(call));
  if (name !== undefined && (suffix || !(await isThere(place, name)))) {
    const choices = choicesOf(call);
    const order = { name, goal: goal.join(' '), suffix, choices, isQuick: isQuick(call) };
    const made = await specToMake({ ...place, repository: inRepository(place, host) }, order);
    return isQuick(call) ? await runQuick(call, made, choices) : await runNew(call, made, choices);
  }
  return await continueSpec(call, await findSpec(host, name, flagsOf(call)));
}
