import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cut,
  hasControlCharacter,
  oneLine,
  quoteLines,
  sanitise,
  stripEscapes,
  visible,
  visibleLine,
  withoutGaps,
} from './sanitise.ts';

const ESC = '\u001b';

describe('text from outside, made harmless', () => {
  test.each([
    [`a${ESC}[31mred${ESC}[0m`, 'ared'],
    [`a${ESC}[2J${ESC}[1;1Hb`, 'ab'],
    [`a${ESC}]0;owned\u0007b`, 'ab'],
    [`a${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\b`, 'alinkb'],
    [`a${ESC}Pq#0;payload${ESC}\\b`, 'ab'],
    [`a${ESC}_payload${ESC}\\b`, 'ab'],
    [`a${ESC}^payload${ESC}\\b`, 'ab'],
    [`a${ESC}Xpayload${ESC}\\b`, 'ab'],
    ['a\u009d0;owned\u009cb', 'ab'],
    ['a\u0090payload\u009cb\u009fpayload\u009cc', 'abc'],
    ['a\u009b2Jb', 'ab'],
    [`a${ESC}]0;torn\nnext line`, 'a\nnext line'],
    [`a${ESC}[31`, 'a'],
    [`a${ESC}`, 'a'],
    [`a${ESC}${ESC}[31mb`, 'ab'],
    [`a${ESC}(Bb${ESC}cc${ESC}7d`, 'abcd'],
    ['a\u0000\u0007\bb\u007f\u0085c', 'abc'],
    ['10%\r20%\r\nend\r\r\n', '10%\n20%\nend\n'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['abc\u202edef', 'abc<U+202E>def'],
    ['pass\u200bword \ufeff', 'pass<U+200B>word <U+FEFF>'],
    ['tag\u{e0041}', 'tag<U+E0041>'],
    ['line\u2028end', 'line<U+2028>end'],
    ['soft\u00adhyphen', 'soft<U+00AD>hyphen'],
    ['a\u200db', 'a<U+200D>b'],
    ['half \ud83d pair', 'half \ufffd pair'],
    ['ünï 日本 😀 ❤️ 👩‍💻 👨🏽‍🚀', 'ünï 日本 😀 ❤️ 👩‍💻 👨🏽‍🚀'],
  ])('%j reads %j (R-SEC-2)', (text, shown) => {
    expect(sanitise(text)).toBe(shown);
  });

  test('lines are cut where a width is given, without splitting a character', () => {
    expect(sanitise('123456\n12345\n1234😀', { charsPerLineMax: 5 })).toBe('1234…\n12345\n1234…');
  });

  const nasty = fc.oneof(
    fc.constantFrom(
      ESC,
      `${ESC}[`,
      `${ESC}]`,
      `${ESC}P`,
      `${ESC}\\`,
      '\u0007',
      '\u009b',
      '\u009d',
      '\u009c',
      '\r',
      '\n',
    ),
    fc.constantFrom('\u202e', '\u200d', '😀', '\ud83d', '\ude00', '\u{e0020}', '31m', '0;'),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const hostile = fc.array(nasty, { maxLength: 40 }).map((parts) => parts.join(''));

  test('no escape, control, hidden or half character is left, and a second pass changes nothing (R-SEC-2)', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = sanitise(text);
        expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(shown).not.toMatch(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2028\u2029\ufeff]/);
        expect(shown).not.toMatch(/\p{Surrogate}/u);
        expect(sanitise(shown)).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });

  test('plain text is left alone', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'Z', '0', ' ', '\n', '\t', 'ü', '日', '[', ']', '\\') }),
        (text) => {
          expect(sanitise(text)).toBe(text);
        },
      ),
    );
  });

  test.each([ESC, `${ESC}]`, `${ESC}[`, '\u009d', `${ESC}P0;`, '\r', '\u200d', `${ESC} `])(
    'takes linear time, with %j over and over',
    (unit) => {
      const once = (text: string) => {
        const began = process.cpuUsage();
        sanitise(text);
        const { user, system } = process.cpuUsage(began);
        return (user + system) / 1_000; // What else the machine does takes none of ours.
      };
      const run = (times: number) => Math.min(...[1, 2, 3].map(() => once(unit.repeat(times))));
      expect(run(40_000)).toBeLessThan(40 * Math.max(run(5_000), 5));
    },
  );
});

test('stripping escapes leaves hidden characters where they are', () => {
  expect(stripEscapes(`${ESC}[1mTASK\u200b${ESC}[0m\r\n`)).toBe('TASK\u200b\n');
});

test('one line is one line, bounded', () => {
  expect(oneLine(`  a\r\n\tb ${ESC}[1mc\n\n`, 100)).toBe('a b c');
  expect(oneLine('a b c d', 4)).toBe('a b…');
});

test('a cut never splits a character', () => {
  expect(cut('😀😀', 4)).toBe('😀😀');
  expect(cut('😀😀', 3)).toBe('😀…');
  expect(cut('a😀', 2)).toBe('a…');
});

test('quoting marks every line, the empty ones too', () => {
  expect(quoteLines('a\n\nb')).toBe('> a\n> \n> b');
});

describe('text that is read before a decision, with nothing left out (R-SEC-1)', () => {
  test.each([
    ['test -f a; : \u001b]0; touch x; : \u0007', 'test -f a; : \\x1b]0; touch x; : \\x07'],
    ['a\u009dhidden\u009cb', 'a\\x9dhidden\\x9cb'],
    ['a\rb\r\nc\td', 'a\\x0db\nc\td'],
    ['abc\u202edef\u200b', 'abc<U+202E>def<U+200B>'],
  ])('%j', (text, expected) => {
    expect(visible(text)).toBe(expected);
    expect(visible(expected)).toBe(expected);
  });

  test('blanks and empty lines that push the rest out of sight show as their number', () => {
    expect(withoutGaps(`true;${' '.repeat(500)}touch x`)).toBe('true; … 500 spaces … touch x');
    expect(withoutGaps(`true${'\n \t'.repeat(40)}\ntouch x`)).toBe('true\n… 40 empty lines …\ntouch x');
    expect(withoutGaps('if a\n\n  then b')).toBe('if a\n\n  then b');
  });

  test('a line tells how much of it is left out', () => {
    expect(visibleLine('a\n  b\tc', 80)).toBe('a ⏎ b c');
    expect(visibleLine('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}… (91 more characters)`);
  });

  test('a command needs no control characters but tabs and line breaks', () => {
    expect(['a\tb\r\nc\n', 'é ✓ \u202e'].map(hasControlCharacter)).toEqual([false, false]);
    expect(['\u001b[2J', 'a\rb', '\u0085', '\u0000'].map(hasControlCharacter)).toEqual([true, true, true, true]);
  });
});
