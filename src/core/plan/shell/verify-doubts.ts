import { type FedPipeline, fed, fedPipelines } from './fed-pipelines.ts';
import { type AndOr, type Pipeline, type PipelineStage, readShellList, type ShellList } from './shell-list.ts';
import { programWords } from './shell-stage.ts';

/** Why the exit code of a command proves less than it seems to (R-VER-15). */
export type ProofDoubt =
  /** It succeeds whatever happens: `… || true`, `…; echo done`, `echo …`. */
  | { readonly kind: 'always-succeeds' }
  /** It shows something, and succeeds whatever it shows: `git diff`, `grep -c … | awk '{print …}'`. */
  | { readonly kind: 'only-shows' }
  /** Pipelines of it end in a command that only passes text on. `isWhole`: as written nothing else can fail. */
  | { readonly kind: 'fed'; readonly pipelines: readonly FedPipeline[]; readonly isWhole: boolean };

/** Whether a command can fail, and, if not, whether that is because it only shows something. */
type CommandResult = 'can-fail' | 'succeeds' | 'shows';

/** How a command is looked at: as bash runs it, or as the run does, which takes the exit code of what feeds a pipeline. */
type CommandView = 'as-written' | 'as-run';

const ALWAYS_TRUE_AT_END = /(?:\|\||;|\n)[ \t]*(?:true|:|exit[ \t]+0|echo\b[^|&;<>`\n]*)[ \t]*$/;
/** What may end a command early with a failure, wherever it is. */
const MAY_END_EARLY =
  /\bexit[ \t]+(?:[1-9]|["$])|\breturn[ \t]+[1-9]|(?:^|[;\n&][ \t]*)set[ \t]+-[a-z]*e|\btrap\b|\berrexit\b/;
const SHELLS = new Set(['bash', 'sh', 'dash', 'zsh']);
const ALWAYS_SUCCEED = new Set(['true', ':', 'echo', 'printf']);
/** They show what they are given, or how things are; only a file that is not there makes them fail. */
const SHOWING = new Set(
  'cat bat head tail wc sort cut tr nl uniq awk gawk mawk sed pwd date whoami env printenv tree du df'.split(' '),
);
const SHOWING_OF_GIT = new Set(['status', 'diff', 'log', 'shortlog', 'branch', 'stash', 'remote']);
const DECIDING_OPTION = /^(?:--exit-code|--quiet|--check|--error-unmatch|-q|-c|-C|-e)$/;

/** Why the exit code of this command proves little or nothing; `undefined` where nothing speaks against it. */
export function proofDoubt(command: string): ProofDoubt | undefined {
  const list = readShellList(command);
  if (list === undefined) return succeedsByItsEnd(command) ? { kind: 'always-succeeds' } : undefined;
  const result = MAY_END_EARLY.test(command) ? 'can-fail' : resultOfList(list, 'as-run');
  if (result === 'succeeds') return { kind: 'always-succeeds' };
  if (result === 'shows') return { kind: 'only-shows' };
  const pipelines = fedPipelines(command).filter(losesAnExitCode);
  if (pipelines.length === 0) return undefined;
  const isWhole = !MAY_END_EARLY.test(command) && resultOfList(list, 'as-written') !== 'can-fail';
  return { kind: 'fed', pipelines, isWhole };
}

/** What only shows something, as `cat` before `jq`, has no exit code worth taking. */
function losesAnExitCode({ feeder, last }: FedPipeline): boolean {
  return resultOfStage(feeder, 'as-run') === 'can-fail' || !readsText(last);
}

function readsText(stage: PipelineStage): boolean {
  return programWords(stage)[0] === 'jq';
}

/** Whether a command proves nothing when it passes: as it is run, nothing can make it fail (R-VER-15). */
export function provesNothing(command: string): boolean {
  const doubt = proofDoubt(command);
  return doubt !== undefined && doubt.kind !== 'fed';
}

function succeedsByItsEnd(command: string): boolean {
  const end = ALWAYS_TRUE_AT_END.exec(command.trim().slice(-300))?.[0];
  return end !== undefined && (end.startsWith('||') || !MAY_END_EARLY.test(command));
}

/** The last of a list decides. */
function resultOfList(list: ShellList, view: CommandView): CommandResult {
  const last = list.at(-1);
  return last === undefined || last.inBackground ? 'succeeds' : resultOfAndOr(last, view);
}

function resultOfAndOr({ pipelines, joints }: AndOr, view: CommandView): CommandResult {
  const results = pipelines.map((pipeline) => resultOfPipeline(pipeline, view));
  return results.reduce((before, result, at) => {
    if (joints[at - 1] === '||') return before === 'can-fail' ? result : before;
    return before === 'can-fail' || result === 'can-fail' ? 'can-fail' : before === 'shows' ? before : result;
  });
}

function resultOfPipeline(pipeline: Pipeline, view: CommandView): CommandResult {
  if (pipeline.isNegated) return 'can-fail';
  const [first] = pipeline.stages;
  const last = pipeline.stages.at(-1) ?? first;
  if (last === undefined || last === first) return last === undefined ? 'succeeds' : resultOfStage(last, view);
  const pipe = fed(pipeline);
  if (pipe === undefined) return resultOfStage(last, view);
  if (readsText(last)) return 'can-fail';
  if (view === 'as-written') return 'shows';
  if (pipe.roles.includes('reads')) return 'can-fail';
  const role = pipe.roles[pipeline.stages.indexOf(pipe.feeder)];
  if (role === 'counts' || role === 'lists') return 'shows';
  return resultOfStage(pipe.feeder, view) === 'can-fail' ? 'can-fail' : 'shows';
}

function resultOfStage(stage: PipelineStage, view: CommandView): CommandResult {
  if (stage.group !== undefined) return resultOfList(stage.group, view);
  if (stage.isCompound) return 'can-fail';
  const [program, ...args] = programWords(stage);
  if (program === undefined) return stage.words.some((word) => /[$`]/.test(word)) ? 'can-fail' : 'succeeds';
  if (ALWAYS_SUCCEED.has(program)) return 'succeeds';
  if (program === 'wait' && args.length === 0) return 'succeeds';
  const inner = SHELLS.has(program) ? scriptIn(args) : undefined;
  // What is inside runs as it is written: a run does not look into it.
  if (inner !== undefined) return resultOfList(inner, 'as-written');
  if (program === 'exit') return args[0] === undefined || args[0] === '0' ? 'succeeds' : 'can-fail';
  return isShowing(program, args) ? 'shows' : 'can-fail';
}

/** The script of `bash -c '…'`, unless it ends at the first failure, or is not understood. */
function scriptIn(args: readonly string[]): ShellList | undefined {
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  const script = args[at + 1];
  const endsEarly = args.slice(0, at + 1).some((arg) => arg === 'pipefail' || /^-[a-z]*e/.test(arg));
  return at < 0 || script === undefined || endsEarly || MAY_END_EARLY.test(script) ? undefined : readShellList(script);
}

function isShowing(program: string, args: readonly string[]): boolean {
  const [first] = args.filter((arg) => !arg.startsWith('-'));
  if (args.some((arg) => DECIDING_OPTION.test(arg))) return false;
  if (program === 'git') return first !== undefined && SHOWING_OF_GIT.has(first) && args[0] === first;
  if (program === 'ls') return first === undefined;
  return SHOWING.has(program) && !/\b(?:exit|system)\b|[qQ][ \t]*[1-9]/.test(args.join(' '));
}

const PATH =
  /^[\w@./~-]*\.(?:md|mdx|txt|json|ya?ml|toml|ts|tsx|js|jsx|css|html|sql|swift|go|rs|java|lock|png|csv|svg)$/i;
const OUTCOME =
  /\b(?:returns?|shows?|prints?|outputs?|yields?|gives|zero|no (?:match(?:es)?|results?|output)|expect(?:s|ed)?|should)\b/i;
const EXIT_CODE = /\b(?:exit|pass|succeed|green)/i;

/** Whether a command is nothing but the name of a file that is no program. */
export function looksLikePath(command: string): boolean {
  return command.length < 300 && PATH.test(command);
}

/** Whether words after a command say what its output must be, which nothing checks. */
export function expectsMoreThanExit(verifyText: string): boolean {
  return verifyText
    .slice(0, 2_000)
    .split('\n')
    .some((line) => {
      const words = line.includes('`') ? line.slice(line.lastIndexOf('`') + 1) : '';
      return OUTCOME.test(words) && !EXIT_CODE.test(words);
    });
}
