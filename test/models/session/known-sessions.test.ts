import { describe, expect, test } from "bun:test";
import { SESSION_VIEW_TTL_MS } from "../../../src/limits/session-limits.ts";
import { LOG_START } from "../../../src/models/session/event-log.ts";
import { beginLoad, emptyCache, type RevocationCache, step } from "../../../src/models/session/revocation-cache.ts";
import type { SessionView } from "../../../src/models/session/session.ts";

function tell(known: RevocationCache, organizationId: string): void {
  const event = {
    sessionId: organizationId,
    kind: "organization_changed",
    reason: "organization_suspension_changed",
    at: 1,
    expiresAt: 2,
    xid: "7",
  } as const;
  step(known, { type: "eventsReceived", events: [event], wallClock: 1 });
}

describe("a change of an organization", () => {
  const known = emptyCache();
  for (let index = 0; index < 100; index += 1) {
    const organizationId = `organization ${index % 3}`;
    known.views.set(`session ${index}`, { id: `session ${index}`, organizationId } as SessionView);
  }
  const underway = beginLoad(known, "session 100");
  tell(known, "organization 1");

  test("drops the views of its sessions and of no further session", () => {
    expect(new Set([...known.views.values()].map((view) => view.organizationId))).toEqual(
      new Set(["organization 0", "organization 2"]),
    );
    expect(known.views.size).toBe(67);
  });

  test("keeps a view from the cache that was being read meanwhile", () => {
    expect(underway.stale).toBe(true);
  });

  test("is no revocation: the feed does not contain the change", () => {
    expect([known.revoked.size, known.newestXid]).toEqual([0, 0n]);
  });
});

describe("views", () => {
  test("leave memory after their lifetime, without another view in their place", () => {
    const known = emptyCache();
    const start = performance.now() - SESSION_VIEW_TTL_MS - 1;
    for (const views of [known.views, known.keys, known.devices]) views.set("old", {} as SessionView, { start });
    known.views.set("new", {} as SessionView);
    step(known, { type: "reconciled", events: [], position: LOG_START, askedAt: 1, wallClock: 1 });
    expect([known.views, known.keys, known.devices].map((views) => [...views.keys()])).toEqual([["new"], [], []]);
    expect([known.views, known.keys, known.devices].map(({ size }) => size)).toEqual([1, 0, 0]);
  });
});

describe("a revocation", () => {
  test("takes an entry only while a token may need it, and drops the view in any case (G76)", () => {
    const known = emptyCache();
    const revoked = (sessionId: string, expiresAt: number) =>
      ({ sessionId, kind: "revoked", reason: "client_ended", at: 1, expiresAt, xid: "7" }) as const;
    known.views.set("expired", { id: "expired" } as SessionView);
    const events = [revoked("expired", 10), revoked("live", 11)];
    step(known, { type: "eventsReceived", events, wallClock: 10 });
    expect([[...known.revoked.keys()], known.feedEvents.from(0n), known.views.size]).toEqual([
      ["live"],
      events.slice(1),
      0,
    ]);
  });
});
