import { createHash } from "node:crypto";
import type { Clock } from "../../src/base/clock.ts";
import type { Random } from "../../src/base/random.ts";

/** Randomness that is identical in every run. */
export interface ScriptedRandom extends Random {
  /** Sets the next draws of bytes, in order and with exactly these lengths; afterwards the seeded stream continues. */
  script(...draws: readonly Buffer[]): void;
}

/** Computes SHA-256 over a seed and a counter. Two instances with equal seeds draw equal values. */
export function scriptedRandom(clock: Pick<Clock, "now">, seed = "flows"): ScriptedRandom {
  const scripted: Buffer[] = [];
  let counter = 0;
  let uuids = 0;

  function draw(count: number): Buffer {
    const blocks: Buffer[] = [];
    for (let drawn = 0; drawn < count; drawn += 32) {
      counter += 1;
      blocks.push(createHash("sha256").update(`${seed}:${counter}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, count);
  }

  return {
    // The UUID follows RFC 9562, sections 5.7 and 6.2: time, version and a counter, so that the ids of a millisecond
    // are in order; variant, random bits.
    uuid() {
      const bytes = draw(16);
      bytes.writeUIntBE(clock.now(), 0, 6);
      bytes.writeUInt16BE(0x7000 | (uuids++ & 0x0fff), 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
    bytes(count) {
      const next = scripted.shift();
      if (!next) return draw(count);
      if (next.length !== count) throw new Error(`the script has ${next.length} bytes where ${count} are drawn`);
      return next;
    },
    script: (...draws) => void scripted.push(...draws),
  };
}
