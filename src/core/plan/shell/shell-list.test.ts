import { expect, test } from 'vitest';
import { readShellList, type ShellList } from './shell-list.ts';

/** `a|b` for a pipeline, `&&` and `||` as written, `;` between lists, groups in brackets, compound commands as `…`. */
function shape(list: ShellList | undefined): string | undefined {
  return list
    ?.map(({ pipelines, joints, inBackground }) => {
      const texts = pipelines.map(
        ({ stages, isNegated }) =>
          (isNegated ? '!' : '') +
          stages
            .map(({ words, group, isCompound }) => (group ? `(${shape(group)})` : isCompound ? '…' : words.join(' ')))
            .join('|'),
      );
      return texts.map((text, at) => `${joints[at - 1] ?? ''}${text}`).join('') + (inBackground ? '&' : '');
    })
    .join(';');
}

test.each([
  ['npm test', 'npm test'],
  ['npm test 2>&1 | tail -5', 'npm test|tail -5'],
  ['a |& b', 'a|b'],
  ['a && b || c; d\ne & f', 'a&&b||c;d;e&;f'],
  ['! a | b', '!a|b'],
  ['(cd x && a | b) && { c; d; }', '(cd x&&a|b)&&(c;d)'],
  [`grep 'a | b' "c && \\"d\\" | $(e | f)" | wc -l`, `grep a | b c && "d" | $(e | f)|wc -l`],
  ['cat <<EOF | tail\na | b\nEOF\nc', 'cat|tail;c'],
  ['cat <<-"E O" | tail\n\tE O', 'cat|tail'],
  ['for f in *.sh; do bash -n $f | tail; done && if a | b; then c; else d; fi', '…&&…'],
  ['while read l; do a; done < x | sort', '…|sort'],
  ['[[ a && b || c ]] && (( 1 | 2 ))', '…&&…'],
  ['a | # why\n  b # and "so on', 'a|b'],
  ['a \\\n  | b', 'a|b'],
  ['diff <(a | b) <(c) > /dev/null', 'diff <(a | b) <(c)'],
  ["awk '{print $1}' x | cut -d'|' -f2", 'awk {print $1} x|cut -d| -f2'],
  ['X=1 a >>b 2>/dev/null <<< "x y"', 'X=1 a'],
])('lists and pipelines of a command are read as bash reads them: %s', (command, expected) => {
  expect(shape(readShellList(command))).toBe(expected);
});

test.each([
  'case x in a) b | c;; esac',
  'f() { a | b; }; f',
  'a=(1 2) | b',
  'a | ',
  "a 'b",
  'a "b $(c',
  'a ; ; b',
  '(a',
  'a) b',
  'if a; then b',
  'cat <<EOF | tail\nno end',
  'cd <root> && a | tail',
  `${'('.repeat(100)}a${')'.repeat(100)}`,
  `a ${'x'.repeat(30_000)} | tail`,
])('what is not understood is left alone: %s', (command) => {
  expect(readShellList(command)).toBeUndefined();
});
