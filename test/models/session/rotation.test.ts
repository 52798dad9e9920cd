import { describe, expect, test } from "bun:test";
import { classifyRefresh, type Family } from "../../../src/models/session/rotation.ts";
import type { Session } from "../../../src/models/session/session.ts";

describe("a refresh token that was not rotated", () => {
  const at = 1_000_000;
  const session = { refreshJti: "now", rotatedAt: at - 5_000, expiresAt: at + 60_000 } as Session;
  const family: Family = { session, previousRefreshJti: "before", ended: false, refusal: null };

  test.each([
    ["the one before, within ten seconds", family, "before", "repeated"],
    ["the one before, later", { ...family, session: { ...session, rotatedAt: at - 10_001 } }, "before", "reused"],
    ["an older one", family, "older", "reused"],
    ["of an ended family", { ...family, ended: true }, "before", "ended"],
    ["of an expired family", { ...family, session: { ...session, expiresAt: at } }, "older", "ended"],
    ["of no family", undefined, "before", "ended"],
    ["the current one, which a racing request just revoked", family, "now", "ended"],
  ] as const)("%s is %p", (_, found, jti, verdict) => {
    expect(classifyRefresh(found, jti, at, 10)).toBe(verdict);
  });
});
