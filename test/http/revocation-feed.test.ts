/** The number of serialisations of the feed. test/http/discovery.test.ts covers the content. */
import { describe, expect, spyOn, test } from "bun:test";
import { reply, toResponse } from "../../src/http/reply.ts";
import { revocationsBody } from "../../src/http/revocation-feed.ts";
import { emptyCache, readFeed, step } from "../../src/models/session/revocation-cache.ts";

const NOW = 1_000_000;
const EXPIRES_AT = NOW + 900_000;

function revoked(count: number) {
  const known = emptyCache();
  const event = (index: number) =>
    ({
      sessionId: `session ${index}`,
      kind: "revoked",
      reason: "logout",
      at: NOW,
      expiresAt: EXPIRES_AT + index,
      xid: "7",
    }) as const;
  const add = (from: number, to: number) => {
    const events = Array.from({ length: to - from }, (_, index) => event(from + index));
    step(known, { type: "eventsReceived", events, wallClock: NOW });
  };
  add(0, count);
  return { known, add };
}

const wire = { requestId: "x", cookiesSecure: false, extra: [] };

/** Returns the feed as sent at a time. */
async function sent(known: ReturnType<typeof emptyCache>, at: number) {
  const body = revocationsBody("https://id.example.test", readFeed(known, undefined, at, at));
  return await toResponse(reply(200, body), wire).text();
}

describe("the full revocation feed (G87)", () => {
  test("is serialised once for two requests without a change between them", async () => {
    const { known } = revoked(1_000);
    const stringify = spyOn(JSON, "stringify");
    const [first, second] = [await sent(known, NOW + 1), await sent(known, NOW + 2)];
    const lists = stringify.mock.calls.filter(([value]) => Array.isArray(value));
    stringify.mockRestore();
    expect(lists).toHaveLength(1);
    expect(JSON.parse(first).revocations).toHaveLength(1_000);
    expect(JSON.parse(second)).toEqual({ ...JSON.parse(first), generated_at: "1970-01-01T00:16:40.002Z" });
  });

  test("has each new entry and no expired entry, with a new ETag", async () => {
    const { known, add } = revoked(3);
    const read = (at: number) => readFeed(known, undefined, at, at);
    const before = read(NOW);
    add(3, 4);
    const grown = read(NOW);
    const shrunk = read(EXPIRES_AT);
    expect([before, grown, shrunk].map(({ revocations }) => revocations.length)).toEqual([3, 4, 3]);
    expect(new Set([before.version, grown.version, shrunk.version]).size).toBe(3);
  });
});
