import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitShellWords } from './shell-words.ts';

const words = (command: string) => {
  const split = splitShellWords(command);
  return split.ok ? split.words : split.problem;
};

test('a command is split at blanks, and quotes and backslashes keep words together', () => {
  expect(words(`node  "my agent.mjs"\t--name 'a b' c\\ d`)).toEqual(['node', 'my agent.mjs', '--name', 'a b', 'c d']);
  expect(words(`a"b c"'d e'f ""`)).toEqual(['ab cd ef', '']);
  expect(words('  \n ')).toEqual([]);
});

test('a backslash in double quotes escapes only what a shell lets it escape', () => {
  expect(words('"a\\"b\\\\c\\$d\\ne"')).toEqual(['a"b\\c$d\\ne']);
  expect(words("'a\\'")).toEqual(['a\\']);
});

test('a backslash before a line break joins the lines and makes no word of its own', () => {
  expect(words('a\\\nb \\\n c "d\\\ne"')).toEqual(['ab', 'c', 'de']);
});

test('nothing else that a shell does is done (R-SEC-1)', () => {
  expect(words('echo $(id) `id` $HOME *.ts ~ | tee > x; # y')).toEqual([
    'echo',
    '$(id)',
    '`id`',
    '$HOME',
    '*.ts',
    '~',
    '|',
    'tee',
    '>',
    'x;',
    '#',
    'y',
  ]);
});

test('a quote that is never closed is named with its place, and so is a backslash with nothing after it', () => {
  expect(words(`run "a b`)).toBe('The command has a " at character 5 that is never closed: run "a b.');
  expect(words(`it's`)).toBe("The command has a ' at character 3 that is never closed: it's.");
  expect(words('a\\')).toBe('The command ends in a backslash that has nothing to escape: a\\.');
});

test('words that are quoted are the same words afterwards', () => {
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  fc.assert(
    fc.property(fc.array(fc.string()), (wanted) => {
      expect(words(wanted.map(quoted).join(' '))).toEqual(wanted);
    }),
  );
});

test('a shell splits quotes, backslashes and blanks into the same words', () => {
  const pieces = fc.array(fc.constantFrom('a', 'b', ' ', '\t', '\n', "'", '"', '\\', 'é'), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, (parts) => {
      const command = parts.join('');
      const split = splitShellWords(command);
      // A shell takes a line break that is not escaped as the end of a command, and we as a blank.
      if (!split.ok || /(?<!\\)(\\\\)*\n/.test(command)) return;
      const script = `printf '%s\\0' x ${command}`;
      const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
      expect(printed.split('\0').slice(1, -1)).toEqual(split.words);
    }),
    { numRuns: 150 },
  );
});
