import { describe, expect, test } from "bun:test";
import { beginLoad, type Known, nothingKnown, step } from "../../../src/models/session/known-sessions.ts";
import type { SessionView } from "../../../src/models/session/session.ts";

function tell(known: Known, organizationId: string): void {
  const event = {
    sessionId: organizationId,
    kind: "organization_changed",
    reason: "organization_suspension_changed",
    at: 1,
    expiresAt: 2,
    xid: "7",
  } as const;
  step(known, { type: "eventsReceived", events: [event] });
}

describe("a change of an organization", () => {
  const known = nothingKnown();
  for (let index = 0; index < 100; index += 1) {
    const organizationId = `organization ${index % 3}`;
    known.views.set(`session ${index}`, { id: `session ${index}`, organizationId } as SessionView);
  }
  const underway = beginLoad(known, "session 100");
  tell(known, "organization 1");

  test("drops the views of its sessions and of no other", () => {
    expect(new Set([...known.views.values()].map((view) => view.organizationId))).toEqual(
      new Set(["organization 0", "organization 2"]),
    );
    expect(known.views.size).toBe(67);
  });

  test("keeps a view from the cache that was being read meanwhile", () => {
    expect(underway.stale).toBe(true);
  });

  test("is no revocation: the feed says nothing of it", () => {
    expect([known.revoked.size, known.newestXid]).toEqual([0, 0n]);
  });
});
