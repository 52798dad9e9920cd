import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";

/**
 * Randomness is a dependency, like time (docs/architecture.md, rule 1). Only this file reads the system's generator.
 */
export interface Random {
  /** UUID version 7 (RFC 9562, section 5.7): ordered by creation, so that indexes stay dense. */
  uuid(): string;
  /** `count` bytes from the operating system's generator. */
  bytes(count: number): Buffer;
}

export function systemRandom(clock: Clock): Random {
  return {
    uuid: uuidV7(clock),
    bytes: (count) => randomBytes(count),
  };
}

const COUNTER_MAX = 0xfff;
/** The counter of a millisecond starts in the lower half, so that an early overflow is impossible. */
const COUNTER_START_MASK = 0x7ff;

/** RFC 9562, section 6.2, method 1: a counter in `rand_a` orders the UUIDs of a process within a millisecond. */
function uuidV7(clock: Clock): () => string {
  let milliseconds = 0;
  let time = "";
  let counter = 0;
  return () => {
    const random = randomUUID();
    const now = clock.now();
    if (now !== milliseconds || counter === COUNTER_MAX) {
      milliseconds = now;
      time = now.toString(16).padStart(12, "0");
      counter = Number.parseInt(random.slice(0, 3), 16) & COUNTER_START_MASK;
    } else counter += 1;
    const sequence = counter.toString(16).padStart(3, "0");
    // The variant and the last 62 bits come from a random UUID (version 4).
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}${random.slice(18)}`;
  };
}

/** RFC 9562, section 5.9: a placeholder for an absent UUID. */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";
/** RFC 9562, section 5.10: no UUID is above. */
export const MAX_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Milliseconds since the Unix epoch in a UUID of version 7; undefined for another version. */
export function timeOfUuid(uuid: string): number | undefined {
  return uuid[14] === "7" ? Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) : undefined;
}

/** The text form of 32 hexadecimal digits. */
export function uuidOfHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** True for a UUID of any version in the canonical text form (RFC 9562, section 4). */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}
