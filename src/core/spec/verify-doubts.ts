/** Commands that succeed whatever they are given. */
const HARMLESS = /^(?:true|:|exit(?:[ \t]+0)?|echo\b[^|&;<>`$]*|printf\b[^|&;<>`$]*)$/;
const ALWAYS_TRUE_AT_END = /(?:\|\||;|\n)[ \t]*(?:true|:|exit[ \t]+0|echo\b[^|&;<>`\n]*)[ \t]*$/;
const PATH =
  /^[\w@./~-]*\.(?:md|mdx|txt|json|ya?ml|toml|ts|tsx|js|jsx|css|html|sql|swift|go|rs|java|lock|png|csv|svg)$/i;
const OUTCOME =
  /\b(?:returns?|shows?|prints?|outputs?|yields?|gives|zero|no (?:match(?:es)?|results?|output)|expect(?:s|ed)?|should)\b/i;
const EXIT_CODE = /\b(?:exit|pass|succeed|green)/i;
const STOPS_AT_ERRORS = /(?:^|[;\n])[ \t]*set[ \t]+-[a-z]*e/;

/** Whether the exit code of a command says nothing: `… || true`, `…; true`, `echo …`. */
export function cannotFail(command: string): boolean {
  const text = command.trim();
  if (text.length < 2_000 && HARMLESS.test(text)) return true;
  const end = ALWAYS_TRUE_AT_END.exec(text.slice(-300))?.[0];
  return end !== undefined && (end.startsWith('||') || !STOPS_AT_ERRORS.test(text));
}

/** Whether a command is nothing but the name of a file that is no program. */
export function looksLikePath(command: string): boolean {
  return command.length < 300 && PATH.test(command);
}

/** Whether words behind a command say what its output must be, which nothing checks. */
export function expectsMoreThanExit(verifyText: string): boolean {
  return verifyText
    .slice(0, 2_000)
    .split('\n')
    .some((line) => {
      const words = line.includes('`') ? line.slice(line.lastIndexOf('`') + 1) : '';
      return OUTCOME.test(words) && !EXIT_CODE.test(words);
    });
}
