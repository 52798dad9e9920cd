/** Whether several kinds of request take as long: a comparison that says something on a busy machine too. */

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/**
 * The slowest median of the kinds as a ratio to the fastest, over what two halves of equal tries differ by: 1.1 stands
 * for ten percent beyond the noise of the machine. `times`: the durations of each kind, in the order in which the kinds
 * took turns.
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
