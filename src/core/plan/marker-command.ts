const SAFE_PATH = /^[\w./@+][\w./@+-]*$/;
const MARKERS = "! git grep -nE '^(<{7}|>{7})'";
const COMMAND = /^! git grep -nE '\^\(<\{7\}\|>\{7\}\)'(?: --(?: [\w./@+][\w./@+-]*)+)?(?: && ([\s\S]+))?$/;

/** The command that proves that a merge is resolved: no conflict marker is left, and the project's tests pass (R-PR-11). */
export function markerCommand(conflicts: readonly string[], testCommand: string | undefined): string {
  const isNamed = conflicts.length > 0 && conflicts.every((path) => SAFE_PATH.test(path));
  const places = isNamed ? ` -- ${conflicts.join(' ')}` : '';
  const tests = testCommand === undefined || /[`\r\n]/.test(testCommand) ? '' : ` && ${testCommand}`;
  return `${MARKERS}${places}${tests}`;
}

/** Whether a command is one of those, which only reads files and runs what is trusted anyway: it needs no trust of its own (R-SEC-1). */
export function isMarkerCommand(command: string, testCommand: string | undefined): boolean {
  const found = COMMAND.exec(command);
  return found !== null && (found[1] === undefined || found[1] === testCommand);
}
