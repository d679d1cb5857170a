import fc from 'fast-check';
import { expect, test } from 'vitest';
import { painter } from './painter.ts';
import { VirtualTerminal } from './test-rig.ts';

const COLUMNS = 12;
const painted = (text: string) => ({ text, cells: text.length });

/** What a terminal of that width makes of a line. */
function wrapped(line: string): readonly string[] {
  return line.match(/.{1,12}/g) ?? [''];
}

test('whatever is drawn, the history stands above the region, whole and once', () => {
  const word = fc.stringMatching(/^[a-z]{1,30}$/);
  const draws = fc.array(
    fc.record({
      history: fc.array(word, { maxLength: 4 }),
      region: fc.array(fc.stringMatching(/^[A-Z]{1,11}$/), { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(draws, (all) => {
      const terminal = new VirtualTerminal(COLUMNS, 6);
      const { draw } = painter();
      const past: string[] = [];
      for (const { history, region } of all) {
        past.push(...history.flatMap(wrapped));
        terminal.write(draw(history, region.map(painted), COLUMNS));
        expect(terminal.text).toBe([...past, ...region].join('\n'));
        expect(terminal.cursorLine).toBe(region.at(-1));
      }
    }),
  );
});

test('only lines that changed are written', () => {
  const { draw } = painter();
  expect(draw([], ['one', 'two', 'three'].map(painted), COLUMNS)).toBe('one\ntwo\nthree');
  expect(draw([], ['one', 'TWO', 'three'].map(painted), COLUMNS)).toBe('\r\x1b[2A\r\x1b[1BTWO\x1b[0K\r\x1b[1B');
  expect(draw([], ['one', 'TWO', 'three'].map(painted), COLUMNS)).toBe('');
});

test('a region that is erased leaves the history and the cursor where the next text belongs', () => {
  const terminal = new VirtualTerminal(COLUMNS, 6);
  const { draw, erase } = painter();
  terminal.write(draw(['past'], ['A', 'B'].map(painted), COLUMNS));
  terminal.write(`${erase(COLUMNS)}next\n`);
  expect(terminal.text).toBe('past\nnext');
  expect(erase(COLUMNS)).toBe('');
});

test('lines that a narrower terminal has wrapped are erased in all their rows', () => {
  const { draw } = painter();
  draw([], ['ABCDEFGHIJ', 'K'].map(painted), COLUMNS);
  expect(draw([], ['L', 'M'].map(painted), 4)).toBe('\r\x1b[3A\x1b[0JL\nM');
});

test('after other text was written the region is drawn below it', () => {
  const terminal = new VirtualTerminal(COLUMNS, 6);
  const { draw, forget } = painter();
  terminal.write(draw([], ['A', 'B'].map(painted), COLUMNS));
  terminal.write('\n$ fg\n');
  forget();
  terminal.write(draw([], ['C', 'D'].map(painted), COLUMNS));
  expect(terminal.text).toBe('A\nB\n$ fg\nC\nD');
});

test('the cursor is never hidden and no mode of the terminal is changed', () => {
  const { draw, erase } = painter();
  expect(draw(['x'], [painted('A')], COLUMNS) + draw([], [painted('B')], COLUMNS) + erase(COLUMNS)).not.toMatch(
    /\x1b\[\?/,
  );
});
