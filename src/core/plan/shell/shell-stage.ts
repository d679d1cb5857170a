import type { PipelineStage } from './shell-list.ts';

/** What the exit code of one command of a pipeline says, when what follows only passes its text on (R-VER-15). */
export type StageRole =
  /** It passes text on: the exit code is that of the command that feeds it. */
  | 'passes'
  /** Its exit code counts, and that of the command that feeds it: `jq`, or `grep passed`, which red tests print too. */
  | 'reads'
  /** It leaves lines out, as `grep -v`: with lines left, the exit code is that of the command that feeds it. */
  | 'filters'
  /** It looks for something to count: to find nothing is no failure. */
  | 'counts'
  /** To find nothing is no failure, and is not told apart from one. */
  | 'lists'
  /** Its exit code counts. */
  | 'decides';

const PASSERS = new Set(
  'tail head cat bat tee sort wc sed gsed awk gawk mawk nawk cut tr uniq less more column nl fold fmt pr rev tac expand unexpand ts paste'.split(
    ' ',
  ),
);
const FINDERS = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack']);
const SUCCESS = /pass|succe|\bok\b|\bBUILD\b|\btests?\b/i;
const FAILURE = /fail|error|warn|assert|exception|panic|fatal/i;
const AWKS = new Set(['awk', 'gawk', 'mawk', 'nawk']);
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** What runs the command that follows: its options that take a value. */
const WRAPPERS: ReadonlyMap<string, RegExp> = new Map([
  ['env', /^-[uCS]$/],
  ['exec', /^-a$/],
  ['nohup', /^$/],
  ['time', /^$/],
  ['stdbuf', /^-[ioe]$/],
  ['nice', /^-n$/],
]);

/** The words of a command without assignments and programs such as `env` before it; the program without its folder. */
export function programWords({ words }: Pick<PipelineStage, 'words'>): readonly string[] {
  let rest = words;
  for (;;) {
    const start = rest.findIndex((word) => !ASSIGNMENT.test(word));
    const [program, ...others] = start < 0 ? [] : rest.slice(start);
    if (program === undefined) return [];
    const name = program.replace(/^.*\//, '');
    const takesValue = WRAPPERS.get(name);
    if (takesValue === undefined || others.length === 0) return [name, ...others];
    rest = withoutOptions(others, takesValue);
  }
}

function withoutOptions(words: readonly string[], takesValue: RegExp): readonly string[] {
  const [option = ''] = words;
  return option.startsWith('-') ? withoutOptions(words.slice(takesValue.test(option) ? 2 : 1), takesValue) : words;
}

/** Whether the last command of a pipeline only passes text on, so that its exit code says nothing (R-VER-15). */
export function passesTextOn(stage: PipelineStage): boolean {
  if (stage.group !== undefined || stage.isCompound) return false;
  const [program = '', ...args] = programWords(stage);
  if (program === 'jq') return !hasOption(args, 'e', '--exit-status');
  if (!PASSERS.has(program)) return false;
  if (program === 'sort') return !hasOption(args, 'cC', '--check');
  if (AWKS.has(program)) return !/\bexit\b|\bsystem\b/.test(args.join(' '));
  if (program.endsWith('sed')) return !/(?:^|[\d$/;{\s])[qQ]\s*[1-9]/.test(args.join(' '));
  return true;
}

/** Whether it says how much it was given, so that nothing at all is an answer too. */
export function isCounter(stage: PipelineStage): boolean {
  const [program = '', ...args] = programWords(stage);
  return program === 'wc' || (AWKS.has(program) && /\bEND\b/.test(args.join(' ')));
}

/** The role of a command that feeds another one. `isFirst`: nothing feeds it. `isCounted`: what follows counts. */
export function roleOf(
  stage: PipelineStage,
  at: { readonly isFirst: boolean; readonly isCounted: boolean },
): StageRole {
  if (stage.group !== undefined || stage.isCompound) return 'decides';
  const [program = '', ...args] = programWords(stage);
  const isFinder = FINDERS.has(program) || (program === 'git' && args[0] === 'grep');
  if (isFinder) {
    if (!at.isFirst && hasOption(args, 'v', '--invert-match')) return 'filters';
    if (at.isCounted || hasOption(args, 'c', '--count')) return 'counts';
    return at.isFirst ? 'decides' : roleOfPattern(args.filter((arg) => !/^-[^e]|^--/.test(arg)).join(' '));
  }
  if (program === 'ls' && at.isCounted && stage.redirections.some(isSilence)) return 'lists';
  if (at.isFirst || !passesTextOn(stage)) return 'decides';
  return program === 'jq' ? 'reads' : 'passes';
}

/** What a search in the output of another command says. Whether failures should be found, only a person knows. */
function roleOfPattern(pattern: string): StageRole {
  if (SUCCESS.test(pattern)) return 'reads';
  return FAILURE.test(pattern) ? 'counts' : 'decides';
}

function isSilence(redirection: string): boolean {
  return /^(?:2>>?|&>>?)\/dev\/null$/.test(redirection);
}

/** Whether one of these short options (perhaps among others, as `-rc`) or the long one is given. */
function hasOption(args: readonly string[], short: string, long: string): boolean {
  const letters = new RegExp(`^-[a-zA-Z]*[${short}]`);
  return args.some((arg) => letters.test(arg) || arg === long || arg.startsWith(`${long}=`));
}
