import type { Random } from "../base/random.ts";

/** Whether the next request is sampled. */
export type HeadSampler = () => boolean;

/**
 * Samples every request independently with the probability `ratio` (0 to 1). Draws how many requests to skip until the
 * next sampled request (geometric distribution), so that a skipped request costs a subtraction.
 */
export function headSampler(ratio: number, random: Random): HeadSampler {
  let passing = gapBefore(ratio, random);
  return () => {
    if (passing > 0) {
      passing -= 1;
      return false;
    }
    passing = gapBefore(ratio, random);
    return true;
  };
}

const DRAW_BYTES = 6;

/** By inversion of the geometric distribution. Infinity for a ratio of 0. */
function gapBefore(ratio: number, random: Random): number {
  const drawn = (random.bytes(DRAW_BYTES).readUIntBE(0, DRAW_BYTES) + 0.5) / 256 ** DRAW_BYTES;
  return Math.floor(Math.log(drawn) / Math.log1p(-ratio));
}
