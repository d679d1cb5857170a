import { findSpec } from '../../app/find-spec.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { FILE_OF } from '../../core/planning/steps.ts';
import { type Command, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf } from '../shared/setting-options.ts';
import { asIsOption, draftOptions, quickOptions } from './options.ts';
import { runPhase } from './run-phase.ts';

/** The command that drafts one document of a spec (R-PLAN-1, R-PLAN-2). */
export function phaseCommand(artifact: Exclude<Drafted, 'tasks'>): Command {
  return {
    operands: [specOperand],
    options: [asIsOption, ...quickOptions, ...draftOptions],
    examples: [
      [`${artifact} --agent claude`, `Lets Claude Code write ${FILE_OF[artifact]} of the active spec.`],
      [`${artifact} login`, `Writes ${FILE_OF[artifact]} of the spec "login", again if it is there.`],
      [`${artifact} login --dry-run`, 'Shows which agents would be started, and their limits.'],
    ],
    details: `An agent drafts ${FILE_OF[artifact]}; it is checked, committed, and then waits for your approval with exit code 3. Documents before it that wait for approval are approved by this command.`,
    run: async (call) =>
      await runPhase(call, await findSpec(hostOf(call), call.operands[0], flagsOf(call)), { artifact }),
  };
}
