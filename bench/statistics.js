export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median of the ratios of pairs that were measured side by side: noise that hits both cancels. */
export function medianRatio(above, below) {
  const pairs = Math.min(above.length, below.length);
  return median(Array.from({ length: pairs }, (_, index) => above[index] / below[index]));
}
