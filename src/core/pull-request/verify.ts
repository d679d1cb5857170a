const STEP = /(?:^|\s)##\[group\]Run (.+)$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\S+Z /;
const COMMAND_CHARS_MAX = 300;
/** What is no command to run here: an action, or what holds values of the workflow. */
const NO_COMMAND = /^[\w.-]+\/[\w.-]+(?:\/[\w./-]+)?@|\$\{\{|[`\r\n]/;

/**
 * The command of the step that failed, from the log of a check: only one that stands in a workflow of the repository as well,
 * as anything can be printed into a log (R-PR-4).
 */
export function commandInLog(log: string, workflows: readonly string[]): string | undefined {
  const lines = log.split('\n').map((line) => line.replace(TIMESTAMP, ''));
  const commands = lines.flatMap((line) => STEP.exec(line)?.[1]?.trim() ?? []);
  const last = commands.at(-1);
  if (last === undefined || last === '' || last.length > COMMAND_CHARS_MAX || NO_COMMAND.test(last)) return undefined;
  const stands = workflows.some((text) => text.split('\n').some((line) => isRun(line, last)));
  return stands ? last : undefined;
}

/** Whether a line of a workflow runs exactly this command. */
function isRun(line: string, command: string): boolean {
  const text = line.trim().replace(/^-\s+/, '');
  const value = text.startsWith('run:') ? text.slice('run:'.length).trim() : text;
  return value === command || value === `"${command}"` || value === `'${command}'`;
}
