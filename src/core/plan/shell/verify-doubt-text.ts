import { cut } from '../../text/sanitise.ts';
import type { PipelineStage } from './shell-list.ts';
import { programWords } from './shell-stage.ts';
import type { ProofDoubt } from './verify-doubts.ts';

const SHOWN_CHARS_MAX = 80;

/** A doubt about a command in words: what is wrong with its exit code, and what to do (R-VER-15). `name` says whose command it is. */
export function doubtText(
  name: string,
  command: string,
  doubt: ProofDoubt,
): { readonly message: string; readonly hint: string } {
  switch (doubt.kind) {
    case 'always-succeeds':
      return {
        message: `${name} succeeds whatever happens.`,
        hint: 'Let the exit code of the check decide; remove what comes after it.',
      };
    case 'only-shows':
      return {
        message: `${name} only prints something: it succeeds whatever it prints.`,
        hint: 'Write a command that fails while the task is not done, for example with grep -q or test.',
      };
    case 'fed': {
      const lost = doubt.pipelines.map(
        ({ feeder, last }) => `${programOf(last)} hides the exit code of \`${shown(command, feeder)}\``,
      );
      const what = doubt.isWhole ? 'cannot fail as written' : 'loses an exit code';
      return {
        message: `${name} ${what}: ${[...new Set(lost)].join(', ')}. A run uses the hidden one.`,
        hint: 'Remove the last command of the pipe, or put "set -o pipefail;" before it.',
      };
    }
  }
}

function programOf(stage: PipelineStage): string {
  return programWords(stage)[0] ?? 'the last command';
}

/** The command that feeds a pipeline, as written, on one line. */
export function shown(command: string, { from, to }: Pick<PipelineStage, 'from' | 'to'>): string {
  return cut(command.slice(from, to).replace(/\s+/g, ' ').trim(), SHOWN_CHARS_MAX);
}
