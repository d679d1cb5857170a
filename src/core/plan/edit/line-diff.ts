/** A run of lines that differs; both ranges are `[from, to)`. With an empty `before` range it is a pure insertion. */
export interface Hunk {
  readonly before: { readonly from: number; readonly to: number };
  readonly after: { readonly from: number; readonly to: number };
}

/**
 * Where two lists of lines differ, found by the lines that occur once in each and what is equal next to them. It is no
 * shortest difference, but costs little more than sorting, however much was rewritten.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const window = {
    before: { from: start, to: before.length - end },
    after: { from: start, to: after.length - end },
  };
  const anchors = commonOrder(uniquePairs(before, after, window));
  const stops = [...anchors, [window.before.to, window.after.to] as const];
  const hunks: Hunk[] = [];
  let from: readonly [number, number] = [start, start];
  for (const stop of stops) {
    const hunk = between(before, after, { from, to: stop });
    if (hunk.before.from < hunk.before.to || hunk.after.from < hunk.after.to) hunks.push(hunk);
    from = [stop[0] + 1, stop[1] + 1];
  }
  return hunks;
}

/** What is left between two anchors when equal lines next to them are taken away. */
function between(
  before: readonly string[],
  after: readonly string[],
  gap: { readonly from: readonly [number, number]; readonly to: readonly [number, number] },
): Hunk {
  let [left, right] = gap.from;
  let [leftEnd, rightEnd] = gap.to;
  while (left < leftEnd && right < rightEnd && before[left] === after[right]) {
    left++;
    right++;
  }
  while (leftEnd > left && rightEnd > right && before[leftEnd - 1] === after[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  return { before: { from: left, to: leftEnd }, after: { from: right, to: rightEnd } };
}

/** The positions of lines that occur once in each window, in the order of `before`. */
function uniquePairs(
  before: readonly string[],
  after: readonly string[],
  window: Hunk,
): readonly (readonly [number, number])[] {
  const left = positions(before, window.before);
  const right = positions(after, window.after);
  const pairs: (readonly [number, number])[] = [];
  for (const [line, at] of left) {
    const other = right.get(line);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  return pairs.sort((one, two) => one[0] - two[0]);
}

/** Where each line is; -1 for one that occurs again. */
function positions(
  lines: readonly string[],
  range: { readonly from: number; readonly to: number },
): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = range.from; at < range.to; at++) {
    const line = lines[at] ?? '';
    found.set(line, found.has(line) ? -1 : at);
  }
  return found;
}

/** The longest run of pairs that keeps its order on both sides. */
function commonOrder(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, pair] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  }
  const order: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) order.push(pair);
  }
  return order.reverse();
}
