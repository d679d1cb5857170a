import { findSpec } from '../../app/find-spec.ts';
import { openQuestions } from '../../app/run/answers.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { counted } from '../../core/text/words.ts';
import { answersToFillIn, questionLines } from '../../core/view/question-lines.ts';
import { type Command, isSet, jsonOption, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { printJson } from '../shared/print.ts';

/** Shows the questions that the planning of a spec waits for (R-ASK-3). Changes nothing. */
export const questions: Command = {
  operands: [specOperand],
  options: [{ ...jsonOption, summary: 'Print them as a file of answers, to be filled in for --answers.' }],
  examples: [
    ['questions', 'Shows the open questions of the active spec.'],
    ['questions login --json > answers.json', 'Writes those of "login" as a file of answers to fill in.'],
  ],
  run: async (call) => {
    const host = hostOf(call);
    const place = await findSpec(host, call.operands[0]);
    const open = await openQuestions(place, host);
    if (isSet(call, '--json')) {
      printJson(call.stdout, answersToFillIn(open));
      return 0;
    }
    const { name, operand } = place.spec;
    call.stdout.write(`${name}: ${open.length === 0 ? 'no open questions' : counted(open.length, 'open question')}\n`);
    for (const question of open) call.stdout.write(`\n${questionLines(question).join('\n')}\n`);
    const [first] = open;
    if (first !== undefined)
      call.stderr.write(`\nAnswer with: specloop answer ${first.id} ${commandLine(operand)} "TEXT"\n`);
    return 0;
  },
};
