import { createReadStream, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { redactor } from '../../core/text/redact.ts';
import { sanitise } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import { type AttemptEvidence, taskEvidence } from '../../core/view/evidence.ts';
import { type Call, type Command, isSet, type Output, optionText } from '../command.ts';
import { findSpec, type SpecPlace } from '../place.ts';
import { archiveOf, holderOf, runOfTask } from '../runs.ts';
import { secretsOf } from '../secrets.ts';

const LOOK_EVERY_MS = 200;

/** Prints the log of an attempt: neutralised, unless raw bytes are wanted for a file or a pipe (R-SEC-2). */
export const logs: Command = {
  operands: [
    { name: 'ID', summary: 'Id of the task.', isRequired: true },
    { name: 'SPEC', summary: 'Name of the spec. Default: the active one.' },
  ],
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
      throw new UserError('A raw log may act on your terminal.', 'Send it to a file or a pipe, or leave out --raw.');
    const [task = '', spec] = call.operands;
    const place = await findSpec(call, spec);
    const log = await findLog(call, place, task);
    call.stderr.write(`${log.path}\n`);
    await print(log, call, place);
    return 0;
  },
};

interface Log {
  readonly path: string;
  readonly task: string;
  readonly attempt: number;
}

async function findLog(call: Call, place: SpecPlace, task: string): Promise<Log> {
  const archive = archiveOf(place);
  const found = await runOfTask(archive, task);
  const evidence = found && taskEvidence(found.run.envelopes, found.key);
  if (found === undefined || evidence === undefined)
    throw new UserError(
      `No run of ${place.spec.name} has begun a task "${task}".`,
      `See where it stands with "specloop status ${place.spec.name}".`,
    );
  const { attempt } = chosen(evidence.attempts, { task, wanted: optionText(call, '--attempt') });
  const ending = isSet(call, '--verify') ? 'verify.log' : 'log';
  const path = archive.folder(found.run.id).logPath(`${found.key}/attempt-${attempt}.${ending}`);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new UserError(
      `Attempt ${attempt} at task ${task} has no such log.`,
      'Leave out --verify, or name another attempt.',
    );
  return { path, task, attempt };
}

function chosen(
  attempts: readonly AttemptEvidence[],
  { task, wanted }: { readonly task: string; readonly wanted: string | undefined },
): AttemptEvidence {
  const attempt =
    wanted === undefined ? attempts.at(-1) : attempts.findLast(({ attempt: number }) => String(number) === wanted);
  if (attempt !== undefined) return attempt;
  const numbers = [...new Set(attempts.map(({ attempt: number }) => number))];
  throw new UserError(
    `Task ${task} has no attempt "${wanted}" in its newest run.`,
    `There are: ${numbers.join(', ')}.`,
  );
}

async function print(log: Log, call: Call, place: SpecPlace): Promise<void> {
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

/** Whether nothing more is written to a log: its attempt is over, or nobody works on the spec. */
async function isOver({ task, attempt }: Log, place: SpecPlace): Promise<boolean> {
  if (!(await holderOf(place)).held) return true;
  const found = await runOfTask(archiveOf(place), task);
  const last = found && taskEvidence(found.run.envelopes, found.key)?.attempts.at(-1);
  return last === undefined || last.attempt !== attempt || last.outcome.is !== 'under-way';
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
