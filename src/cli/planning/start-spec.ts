import { findPlace, findSpec, inRepository } from '../../app/place.ts';
import { comesNext, isThere } from '../../app/planning/comes-next.ts';
import { specToMake } from '../../app/planning/new-spec.ts';
import { staleText } from '../../core/planning/stale-text.ts';
import { FILE_OF } from '../../core/planning/steps.ts';
import type { Call } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf } from '../shared/setting-options.ts';
import { choicesOf, isQuick } from './options.ts';
import { runNew } from './run-new.ts';
import { runPhase } from './run-phase.ts';
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
  const found = await findSpec(host, name, flagsOf(call));
  const { name: spec } = found.spec;
  const next = await comesNext(found, host);
  switch (next.is) {
    case 'resume':
      call.stderr.write(`Continuing the planning of ${spec}, which was interrupted.\n`);
      return await runPhase(call, found, { artifact: next.artifact });
    case 'draft':
      call.stderr.write(`Next for ${spec}: ${FILE_OF[next.artifact]}, which is missing.\n`);
      return await runPhase(call, found, { artifact: next.artifact });
    case 'decide': {
      const { artifact, state } = next.standing;
      const why = state === 'stale' ? staleText(next.standing) : `${FILE_OF[artifact]} waits for your approval.`;
      const flag = state === 'stale' ? ' --as-is' : '';
      call.stderr.write(`${why}\nApprove it with "specloop approve ${spec} ${artifact}${flag}".\n`);
      return EXIT.waiting;
    }
    case 'implement':
      call.stderr.write(`The documents of ${spec} are approved. Next: specloop implement ${spec}\n`);
      return EXIT.ok;
  }
}
