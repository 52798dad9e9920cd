import { randomBytes } from "node:crypto";
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
    uuid: () => Bun.randomUUIDv7("hex", clock.now()),
    bytes: (count) => randomBytes(count),
  };
}

/** RFC 9562, section 5.9: a placeholder for an absent UUID. */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a UUID of any version in its canonical text form (RFC 9562, section 4). */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}
