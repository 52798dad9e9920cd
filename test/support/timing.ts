/** Compares the durations of several kinds of request in a way that is meaningful on a busy machine too. */

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/**
 * Returns the ratio of the slowest median of the kinds to the fastest median, relative to the difference between two
 * halves of equal attempts: 1.1 stands for ten percent beyond the noise of the machine. `times` holds the durations of
 * each kind, in the order in which the kinds alternated.
 */
export function spreadBeyondNoise(times: Readonly<Record<string, readonly number[]>>): number {
  const kinds = Object.values(times);
  const noise = kinds.map((values) => ratio([0, 1].map((half) => values.filter((_, turn) => turn % 2 === half))));
  return ratio(kinds) / Math.max(...noise);
}

function ratio(samples: readonly (readonly number[])[]): number {
  const medians = samples.map(median);
  return Math.max(...medians) / Math.min(...medians);
}
