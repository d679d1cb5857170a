import { type AndOr, type Pipeline, type PipelineStage, readShellList, type ShellList } from './shell-list.ts';
import { isCounter, passesTextOn, roleOf, type StageRole } from './shell-stage.ts';

/** A pipeline whose last command only passes text on, and what is taken for its exit code instead (R-VER-15). */
export interface FedPipeline {
  readonly pipeline: Pipeline;
  /** Of all its commands but the last. */
  readonly roles: readonly StageRole[];
  /** The command whose failure counts. */
  readonly feeder: PipelineStage;
  readonly last: PipelineStage;
}

/** A command that looks after the exit codes of its pipelines itself. */
const MINDS_PIPES = /PIPESTATUS|pipefail/;

/** The pipelines of a command whose exit code would say nothing; none where the command is not understood. */
export function fedPipelines(command: string): readonly FedPipeline[] {
  if (!command.includes('|') || MINDS_PIPES.test(command)) return [];
  return pipelinesIn(readShellList(command) ?? []).flatMap((pipeline) => fed(pipeline) ?? []);
}

function pipelinesIn(list: ShellList): readonly Pipeline[] {
  return list
    .filter((entry: AndOr) => !entry.inBackground)
    .flatMap(({ pipelines }) => pipelines)
    .flatMap((pipeline) => [pipeline, ...pipeline.stages.flatMap(({ group }) => pipelinesIn(group ?? []))]);
}

/** `undefined` where the exit code of a pipeline says something. */
export function fed(pipeline: Pipeline): FedPipeline | undefined {
  const { stages, isNegated } = pipeline;
  const last = stages.at(-1);
  if (isNegated || stages.length < 2 || last === undefined || !passesTextOn(last)) return undefined;
  let isCounted = isCounter(last);
  const roles: StageRole[] = [];
  let feeder: PipelineStage | undefined;
  for (let at = stages.length - 2; at >= 0; at--) {
    const stage = stages[at] ?? last;
    const role = roleOf(stage, { isFirst: at === 0, isCounted });
    roles.unshift(role);
    if (role !== 'passes' && role !== 'reads' && role !== 'filters') feeder ??= stage;
    isCounted ||= isCounter(stage);
  }
  return { pipeline, roles, feeder: feeder ?? stages[0] ?? last, last };
}

const LETTERS: Readonly<Record<StageRole, string>> = {
  passes: 'p',
  reads: 'r',
  filters: 'f',
  counts: 'c',
  lists: 'l',
  decides: 'd',
};

/**
 * Takes the letters of the roles and the exit codes of all commands of a pipeline. Returns the code of the last one if it
 * failed, else that of the command that feeds it. A command that a reader ended early (SIGPIPE, 141) did not fail.
 */
const TAKE = [
  `local roles=$1 at code; shift; local codes=("$@");`,
  `at=$(( \${#codes[@]} - 1 )); if [ "\${codes[at]}" != 0 ]; then return "\${codes[at]}"; fi;`,
  `if [ "\${#roles}" != "$at" ]; then return 0; fi;`,
  `while [ "$at" -gt 0 ]; do at=$(( at - 1 )); code=\${codes[at]}; if [ "$code" = 141 ]; then code=0; fi;`,
  `case \${roles:at:1} in`,
  `d) return "$code" ;;`,
  `c) if [ "$code" = 1 ]; then return 0; fi; return "$code" ;;`,
  `l) return 0 ;;`,
  `f) if [ "$code" = 1 ]; then return 0; fi; if [ "$code" != 0 ]; then return "$code"; fi ;;`,
  `r) if [ "$code" != 0 ]; then return "$code"; fi ;;`,
  `esac; done; return 0;`,
].join(' ');
const NAME = '__specloop_take_exit_code';

/**
 * The command as it is run: as written, but where a pipeline ends in a command that only passes text on, the failure of
 * the command that feeds it is taken (R-VER-15). All else of it stays as it is, its lines included.
 */
export function withExitCodes(command: string): string {
  const found = fedPipelines(command);
  if (found.length === 0) return command;
  const insertions = found.flatMap(({ pipeline: { from, to }, roles }) => [
    { at: from, text: '{ ' },
    { at: to, text: `; ${NAME} ${roles.map((role) => LETTERS[role]).join('')} "\${PIPESTATUS[@]}"; }` },
  ]);
  insertions.sort((left, right) => right.at - left.at);
  const whole = insertions.reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), command);
  return `${NAME}() { ${TAKE} }; ${whole}`;
}
