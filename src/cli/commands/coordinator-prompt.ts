import { writeCoordinatorPrompt } from '../../app/coordinator-prompt.ts';
import { visible } from '../../core/text/sanitise.ts';
import { type Command, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';

/** Lets the Ralph Loop plugin drive a session through the tasks of a spec (R-START-9). */
export const coordinatorPrompt: Command = {
  operands: [specOperand],
  options: [],
  examples: [['coordinator-prompt demo', 'Writes specs/demo/.coordinator-prompt.md, and prints the line to enter.']],
  details:
    'For Claude Code with the Ralph Loop plugin. Without it, use the plugin of specloop: "specloop plugin install --claude".',
  run: async (call) => {
    call.stdout.write(`${visible(await writeCoordinatorPrompt(hostOf(call), call.operands[0]))}\n`);
    return 0;
  },
};
