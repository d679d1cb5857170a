/** A line that is no setting: git refuses the whole file then. */
export const UNREADABLE = 'core.unreadable-line';

/**
 * The settings in the text of a git config file: each key as git spells it (section and name in lower case), with its
 * values in order. Values are as they are written, without their quotes' meaning: they are only compared.
 */
export function gitSettings(text: string): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, readonly string[]>();
  let section = '';
  for (const line of linesOf(text)) {
    const { header, rest } = headerOf(line);
    if (header !== undefined) section = header;
    const setting = rest.trim();
    if (setting === '') continue;
    const [, name, value = ''] = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(setting) ?? [];
    const key = name === undefined || section === '' ? UNREADABLE : `${section}.${name.toLowerCase()}`;
    settings.set(key, [...(settings.get(key) ?? []), key === UNREADABLE ? setting : value]);
  }
  return settings;
}

/**
 * The lines without their comments. A backslash leads a line on into the next one, but not in a comment: what follows there
 * is a setting to git.
 */
function linesOf(text: string): readonly string[] {
  const parts = text.match(/\\\r?\n|\\.|\n|[^\\]/gs) ?? [];
  const lines = [''];
  let within: 'comment' | 'quotes' | undefined;
  for (const part of parts) {
    const isComment = within === 'comment';
    if (part === '\n' || (isComment && part.endsWith('\n'))) {
      lines.push('');
      within = undefined;
    } else if (isComment || /^\\\r?\n$/.test(part)) continue;
    else if (within === undefined && /[#;]/.test(part)) within = 'comment';
    else {
      if (part === '"') within = within === 'quotes' ? undefined : 'quotes';
      lines.push(`${lines.pop() ?? ''}${part}`);
    }
  }
  return lines;
}

/** `[section "part"]`, or in an older form `[section.part]`, with what follows on the same line. */
function headerOf(line: string): { readonly header?: string; readonly rest: string } {
  const [all, section = '', part] = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
  if (all === undefined) return { rest: line };
  const header = part === undefined ? section.toLowerCase() : `${section.toLowerCase()}.${part}`;
  return { header, rest: line.slice(all.length) };
}

/**
 * What decides which hooks run, who signs, what is committed from which tree, which files git sees, and where a push goes
 * with whose credentials.
 */
const DECIDING =
  /^((core|commit|tag|gpg|user|author|committer|filter|include|includeif|extensions|hook|sparse|index|i18n|status|diff|merge|apply|url|feature|credential|http|push|ssh)\.|remote\.(pushdefault$|.*\.(pushurl|push|receivepack|uploadpack|vcs|proxy)$)|branch\..*\.pushremote$|submodule\..*\.?(ignore|update)$)/;

export const HOOKS_PATH = 'core.hookspath';

/** Whether a setting that was not there before may not be added by an agent. */
export function isDeciding(key: string): boolean {
  return DECIDING.test(key);
}
