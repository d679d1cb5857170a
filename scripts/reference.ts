import { z } from 'zod';
import type { Command, ListedCommand, Option } from '../src/cli/shared/command.ts';
import { defaults, settingsFile } from '../src/config/schema.ts';
import { type Setting, settings } from '../src/config/setting.ts';
import { PLAN_PROBLEM_KINDS, PROBLEM_KINDS, type ProblemKind } from '../src/core/artifact/problem-kinds.ts';
import { SECTIONS } from '../src/core/artifact/section-names.ts';

const NOTE = '<!-- Written by `npm run reference`; change the code that it describes instead. -->';

/** The reference of all commands, in Markdown. */
export function cliReference(commands: readonly (ListedCommand & Command)[], commonOptions: readonly Option[]): string {
  const parts = [
    NOTE,
    '# Commands',
    'Data goes to stdout, all else to stderr. An option that is misspelt, or has a value that makes no sense, is refused.',
    `| command | |\n|---|---|\n${commands.map(({ name, summary }) => `| [\`${name}\`](#${name}) | ${summary}. |`).join('\n')}`,
    '## Options of every command',
    optionTable(commonOptions),
    ...commands.flatMap(commandParts),
    '## Exit codes',
    EXIT_CODES,
  ];
  return `${parts.join('\n\n')}\n`;
}

const EXIT_CODES = `| code | meaning |
|---|---|
| 0 | Done. \`implement\`: every task is done and verified. |
| 1 | \`implement\`: a task could not be completed, or the disk is full. \`validate\`, \`doctor\`: something is wrong. |
| 2 | Refused before anything began: arguments, settings, the plan, the repository, or another coordinator. |
| 3 | \`implement\` waits for a person. |
| 4 | \`implement\` reached a limit of the run: money, tokens, time, or attempts. |
| 70 | A bug of specloop. |
| 129, 130, 143 | \`implement\` was interrupted by SIGHUP, SIGINT or SIGTERM; it can be resumed. |

The last line on stderr of every end but 0 says what to do next.`;

function commandParts({
  name,
  summary,
  details,
  operands,
  options,
  examples,
}: ListedCommand & Command): readonly string[] {
  const usage = operands.map((operand) => (operand.isRequired ? `<${operand.name}>` : `[${operand.name}]`));
  const groups = [...new Set(options.map(({ group }) => group))];
  return [
    `## ${name}`,
    `${summary}.${details === undefined ? '' : ` ${details}`}`,
    `    specloop ${[name, '[options]', ...usage].join(' ')}`,
    ...(operands.length === 0
      ? []
      : [
          table(
            ['argument', ''],
            operands.map((operand) => [operand.name, operand.summary]),
          ),
        ]),
    ...groups.flatMap((group) => [
      ...(group === undefined ? [] : [`### ${name}: ${group.toLowerCase()}`]),
      optionTable(options.filter((option) => option.group === group)),
    ]),
    examples.map(([line, purpose]) => `    # ${purpose}\n    specloop ${line}`).join('\n\n'),
  ];
}

function optionTable(options: readonly Option[]): string {
  return table(
    ['option', ''],
    options.map((option) => [optionTerm(option), option.summary]),
  );
}

function optionTerm({ flag, placeholder, negatable, repeats }: Option): string {
  const term = negatable ? flag.replace('--', '--[no-]') : flag;
  return `${term}${placeholder === undefined ? '' : ` <${placeholder}>`}${repeats ? ' …' : ''}`;
}

/** The reference of all settings, in Markdown. */
export function configReference(): string {
  const rows = settings.map((setting) => [
    setting.key,
    kindText(setting),
    fallbackText(setting),
    reachText(setting),
    setting.description,
  ]);
  const parts = [
    NOTE,
    '# Settings',
    `A setting comes from, the strongest first: an option of \`implement\`, a variable of the environment, the file of the
repository, your own file, the default. The files hold data only:

- \`specloop.config.yaml\` or \`specloop.config.json\` at the root of the repository,
- \`$XDG_CONFIG_HOME/specloop/config.yaml\` or \`config.json\` (by default in \`~/.config\`).

A key that is no setting, and a value that makes no sense, is refused with its place. Groups are merged key by key; a list
replaces the weaker one. \`specloop init\` writes a file with every setting as a comment, and an editor can check it
against \`schemas/config.schema.json\`.

A repository's file never decides what the repository may do to you: the settings marked *yours only* are refused there,
and commands in it run only once you trust them (\`specloop trust\`).`,
    '## All settings',
    table(['setting', 'value', 'default', 'option and variable', ''], rows, { isCode: [0, 2] }),
    '## Values',
    `- A duration is a number of seconds, or a number with \`ms\`, \`s\`, \`m\` or \`h\` behind it: \`90\`, \`500ms\`, \`5m\`, \`2h\`.
- A command is a list of arguments, or one text that is split like shell words; no shell reads it. A shell command is run by bash.
- On the command line and in variables a list is separated by commas; an option for a list may be given several times.
- A switch is \`true\` or \`false\` (\`1\` or \`0\` in a variable); as an option \`--name\` or \`--no-name\`.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const KINDS: Readonly<Record<string, string>> = {
  N: 'count from 1',
  USD: 'US dollars',
  TIME: 'duration',
  CMD: 'command',
  SHELL: 'shell command',
  DIR: 'folder',
};

function kindText({ kind }: Setting): string {
  if (kind.placeholder === undefined) return 'switch';
  if (kind.choices !== undefined) return kind.choices.map((choice) => `\`${choice}\``).join(', ');
  const one = KINDS[kind.placeholder] ?? kind.placeholder.toLowerCase();
  return kind.repeats ? `list: ${one}` : one;
}

function fallbackText({ fallback }: Setting): string {
  return fallback === undefined ? '' : typeof fallback === 'object' ? JSON.stringify(fallback) : String(fallback);
}

function reachText({ flag, variable, isPersonal }: Setting): string {
  const reach = flag === undefined ? 'file only' : `\`${flag}\`<br>\`${variable}\``;
  return isPersonal ? `${reach}<br>*yours only*` : reach;
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { isCode }: { readonly isCode: readonly number[] } = { isCode: [0] },
): string {
  const cell = (text: string, column: number) => {
    const escaped = text.replaceAll('|', '\\|');
    return isCode.includes(column) && text !== '' ? `\`${escaped}\`` : escaped;
  };
  const lines = rows.map((row) => `| ${row.map(cell).join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines].join('\n');
}

/** The reference of all problems that `validate` reports, in Markdown. */
export function problemReference(): string {
  const kinds = Object.entries<ProblemKind>(PROBLEM_KINDS);
  const rows = kinds.map(([code, { severity, message, hint }]) => [code, severity, message, hint]);
  const ofPlan = Object.entries(PLAN_PROBLEM_KINDS).map(([code, { severity, message }]) => [code, severity, message]);
  const sections = Object.entries(SECTIONS).map(([key, { what, titles }]) => [key, what, titles.join(', ')]);
  const parts = [
    NOTE,
    '# Problems of a spec',
    `\`specloop validate\` reports these. \`--json\` has each with \`severity\`, \`code\`, \`artifact\`, \`file\`, \`line\`,
\`column\`, \`message\` and \`hint\`, and \`subject\` where it is about an id or a path.

- *error*: the next phase or the run would go wrong. The command exits with 1.
- *finding*: quality that can be counted. With \`--strict\` the command exits with 1.
- *warning*: worth a look. With \`--strict\` the command exits with 1.`,
    '## Of the artifacts',
    table(['code', 'severity', 'message', 'what to do'], rows),
    '## Of the plan as it is run',
    table(['code', 'severity', ''], ofPlan),
    '## Sections',
    'A heading of level 2 to 4 that begins with one of these words says that its section is this one. Case, numbering, emphasis and punctuation do not count. The setting `headings` adds others.',
    table(['section', 'holds', 'headings'], sections),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The JSON Schema of a settings file, as text. */
export function configSchema(): string {
  const schema = z.toJSONSchema(settingsFile, { io: 'input' });
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const [, fallback] = Object.entries(defaults).find(([key]) => key === name) ?? [];
    return [name, fallback === undefined ? property : { ...(property as object), default: fallback }] as const;
  });
  const titled = {
    $schema: schema.$schema,
    title: 'Settings of specloop',
    ...schema,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  };
  return `${JSON.stringify(titled, undefined, 2)}\n`;
}
