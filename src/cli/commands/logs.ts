import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findSpec } from '../../app/find-spec.ts';
import type { SpecPlace } from '../../app/place.ts';
import { type AttemptLog, findLog, isOver } from '../../app/run/attempt-log.ts';
import { secretsOf } from '../../app/trust/secrets.ts';
import { redactor } from '../../core/text/redact.ts';
import { sanitise } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import { type Call, type Command, isSet, type Output, optionText } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { laterSpecOperand } from '../shared/options.ts';

const LOOK_EVERY_MS = 200;

/** Prints the log of an attempt: neutralised, unless raw bytes are wanted for a file or a pipe (R-SEC-2). */
export const logs: Command = {
  operands: [{ name: 'ID', summary: 'Id of the task.', isRequired: true }, laterSpecOperand],
  options: [
    { flag: '--attempt', placeholder: 'N', summary: 'Number of the attempt. Default: the latest.' },
    { flag: '--verify', summary: 'Print the output of the Verify command instead of the agent.' },
    { flag: '--follow', summary: 'Keep printing until the attempt ends.' },
    { flag: '--raw', summary: 'Print the log byte for byte. Not allowed on a terminal.' },
  ],
  examples: [
    ['logs 1.2', 'Prints the latest log of task 1.2 of the active spec.'],
    ['logs 1.2 demo --attempt 1 --verify', 'Prints the output of the Verify command of the first attempt.'],
  ],
  run: async (call) => {
    if (isSet(call, '--raw') && call.stdout.isTTY === true)
      throw new UserError(
        'A raw log can send control sequences to your terminal.',
        'Redirect it to a file or a pipe, or leave out --raw.',
      );
    const [task = '', spec] = call.operands;
    const place = await findSpec(hostOf(call), spec);
    const of = isSet(call, '--verify') ? 'verify' : 'agent';
    const log = await findLog(place, { task, attempt: optionText(call, '--attempt'), of });
    call.stderr.write(`${log.path}\n`);
    await print(log, call, place);
    return 0;
  },
};

async function print(log: AttemptLog, call: Call, place: SpecPlace): Promise<void> {
  const printer = isSet(call, '--raw') ? rawPrinter(call.stdout) : linePrinter(call);
  let printed = 0;
  for (let isLast = !isSet(call, '--follow'); ; ) {
    for await (const chunk of createReadStream(log.path, { start: printed }) as AsyncIterable<Buffer>) {
      printed += chunk.length;
      await printer.print(chunk);
    }
    if (isLast || call.stdout.errored) break;
    await sleep(LOOK_EVERY_MS);
    isLast = await isOver(log, place); // What was printed until then is read once more.
  }
  await printer.end();
}

interface Printer {
  readonly print: (chunk: Buffer) => Promise<void>;
  readonly end: () => Promise<void>;
}

function rawPrinter(stdout: Output): Printer {
  return { print: (chunk) => written(stdout, chunk), end: async () => {} };
}

/** Whole lines at a time: an escape sequence never runs over the end of one. What it cut is a secret again without it. */
function linePrinter({ stdout, env }: Call): Printer {
  const redact = redactor(secretsOf(env));
  const decoder = new TextDecoder();
  let rest = '';
  return {
    async print(chunk) {
      const text = rest + decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      if (end > 0) await written(stdout, redact(sanitise(text.slice(0, end))));
    },
    async end() {
      const text = rest + decoder.decode();
      if (text !== '') await written(stdout, `${redact(sanitise(text))}\n`);
    },
  };
}

/** Waits for a reader that is slower than the disk; one that has left is waited for no more. */
async function written(stdout: Output, data: string | Buffer): Promise<void> {
  await new Promise<void>((resolve) => stdout.write(data, () => resolve()));
}
