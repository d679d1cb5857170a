import { type Setting, settings } from './setting.ts';

const HEAD = `# Settings of specloop for this repository. Commands in this file are not run until you trust them.
# To change a setting, remove the "#" before it and before the group that contains it.
# Command-line options and variables (SPECLOOP_MAX_TASK_ITERATIONS) override this file. This file overrides your own
# settings in ~/.config/specloop/config.yaml.
`;

/** A file of settings that sets nothing and shows everything that a repository may set. */
export function settingsTemplate(): string {
  const lines: string[] = [];
  let opened: readonly string[] = [];
  for (const setting of settings.filter(({ isPersonal }) => !isPersonal)) {
    const groups = setting.key.split('.').slice(0, -1);
    lines.push(...headings(groups, opened), ...entry(setting, groups.length));
    opened = groups;
  }
  return `${HEAD}${lines.join('\n')}\n`;
}

/** The lines that open the groups of a setting, as far as they are not open. */
function headings(groups: readonly string[], opened: readonly string[]): readonly string[] {
  const first = groups.findIndex((group, depth) => group !== opened[depth]);
  if (first === -1) return [];
  return [...(first === 0 ? [''] : []), ...groups.slice(first).map((name, index) => line(`${name}:`, first + index))];
}

function entry({ key, description, kind, fallback }: Setting, depth: number): readonly string[] {
  const name = key.split('.').at(-1);
  const example = kind.repeats ? `[${kind.placeholder}]` : kind.placeholder;
  const value = fallback === undefined ? example : typeof fallback === 'object' ? JSON.stringify(fallback) : fallback;
  return [...(depth === 0 ? [''] : []), `# ${description}`, line(`${name}: ${value}`, depth)];
}

function line(text: string, depth: number): string {
  return `#${'  '.repeat(depth)}${text}`;
}
