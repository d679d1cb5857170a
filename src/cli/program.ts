import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError, Option as ParsedOption, Command as Parser } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { visible } from '../core/text/sanitise.ts';
import { UserError } from '../core/user-error.ts';
import { commands } from './commands.ts';
import type { Call, Command, ListedCommand, Option, OptionValue, Surroundings } from './shared/command.ts';

/**
 * Runs the command that the arguments name and resolves with its exit code. Throws `UserError` for arguments that make
 * no sense, with what was probably meant (R-UX-1).
 */
export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const name = commandName(argv);
  let code = 0;
  const root = rootParser(surroundings);
  for (const listed of commands) {
    const parser = root.command(listed.name).summary(listed.summary).description(listed.summary);
    if (listed.name === name) {
      const command = await listed.load();
      declare(parser, command);
      parser.action(async () => {
        code = await command.run(callOf(parser, command, surroundings));
      });
    }
  }
  // With --help, the parser would show the help of all for a command that does not exist.
  const isUnknown = name !== undefined && !commands.some((listed) => listed.name === name);
  try {
    await root.parseAsync(isUnknown ? [name] : argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, name);
  }
  return code;
}

/** All commands with all they have, for the reference. */
export async function allCommands(): Promise<readonly (ListedCommand & Command)[]> {
  return Promise.all(commands.map(async (listed) => ({ ...listed, ...(await listed.load()) })));
}

/** The options that every command has. */
export const commonOptions: readonly Option[] = [
  { flag: '--cwd', placeholder: 'DIR', summary: 'Run as if started in this folder.' },
  { flag: '--help', summary: 'Show help.' },
];

/** The first argument that is no option, so that only this command has to be loaded; of `help`, the one it is asked about. */
function commandName(argv: readonly string[]): string | undefined {
  const names: string[] = [];
  for (let at = 0; at < argv.length && argv[at] !== '--'; at++) {
    if (argv[at] === '--cwd') at++;
    else if (argv[at]?.startsWith('-') === false) names.push(argv[at] ?? '');
  }
  return names[0] === 'help' ? names[1] : names[0];
}

function rootParser({ stdout, stderr }: Surroundings): Parser {
  return new Parser('specloop')
    .description(packageFile.description)
    .version(packageFile.version, '--version', 'Show the version.')
    .option('--cwd <DIR>', 'Run as if started in this folder.')
    .helpOption('--help', 'Show help.')
    .helpCommand('help [COMMAND]', 'Show help for a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(visible(text)),
      outputError: () => {}, // The error that is thrown says it all.
    })
    .exitOverride();
}

function declare(parser: Parser, { operands, options, examples, details }: Command): void {
  if (details !== undefined) parser.description(`${parser.summary()}.\n\n${details}`);
  for (const { name, summary, isRequired } of operands)
    parser.argument(isRequired ? `<${name}>` : `[${name}]`, summary);
  for (const option of options) for (const parsed of parsedOptions(option)) parser.addOption(parsed);
  parser.configureHelp({ ...parser.configureHelp(), optionTerm: (option) => termOf(option, options) });
  const lines = examples.map(([line, purpose]) => `  specloop ${line}\n      ${purpose}`);
  parser.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

function parsedOptions({ flag, placeholder, summary, group, repeats, negatable }: Option): readonly ParsedOption[] {
  const option = new ParsedOption(placeholder === undefined ? flag : `${flag} <${placeholder}>`, summary);
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (repeats) option.argParser((value: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), value]);
  return negatable ? [option, new ParsedOption(flag.replace('--', '--no-')).hideHelp()] : [option];
}

/** A switch has two forms, of which help shows one line. */
function termOf({ flags }: ParsedOption, options: readonly Option[]): string {
  const isNegatable = options.some(({ flag, negatable }) => flag === flags && negatable === true);
  return isNegatable ? flags.replace('--', '--[no-]') : flags;
}

function callOf(parser: Parser, { options }: Command, surroundings: Surroundings): Call {
  const values: Record<string, OptionValue | undefined> = parser.optsWithGlobals();
  const given = options.flatMap(({ flag }) => {
    const value = values[new ParsedOption(flag).attributeName()];
    return value === undefined ? [] : [[flag, value] as const];
  });
  return {
    ...surroundings,
    cwd: folder(surroundings.cwd, values.cwd),
    operands: parser.args,
    options: new Map(given),
  };
}

function folder(start: string, given: OptionValue | undefined): string {
  if (typeof given !== 'string') return start;
  const dir = resolve(start, given);
  if (given !== '' && statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return dir;
  throw new UserError(`--cwd is not a folder: "${given}".`, 'Name a folder that exists.');
}

function usageError(error: CommanderError, name: string | undefined): UserError {
  const isKnown = commands.some((listed) => listed.name === name);
  const help = isKnown ? `specloop help ${name}` : 'specloop help';
  if (error.code === 'commander.help')
    return new UserError('No command was given.', 'Name one of the commands above, as in "specloop status".');
  const [problem = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/[.]?$/, '.')}`;
  const meant = suggestion === undefined ? '' : ` ${suggestion.replace(/^\((.*)\)$/, '$1')}`;
  return new UserError(`${sentence}${meant}`, `Run "${help}" to see its ${isKnown ? 'options' : 'commands'}.`);
}
