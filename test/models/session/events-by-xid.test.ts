import { expect, test } from "bun:test";
import fc from "fast-check";
import { EventsByXid } from "../../../src/models/session/events-by-xid.ts";
import type { SessionEvent } from "../../../src/models/session/revocation.ts";

const NOW = 1_000;
const revocations = fc.array(
  fc.record({ xid: fc.integer({ min: 1, max: 40 }), expiresAt: fc.integer({ max: 2 * NOW }) }),
);

test("events after a cursor equal a search of all events, in any order of arrival", () => {
  const property = fc.property(revocations, fc.integer({ min: 0, max: 41 }), (list, from) => {
    const events = list.map(({ xid, expiresAt }, index) => {
      return { sessionId: String(index), xid: String(xid), expiresAt } as unknown as SessionEvent;
    });
    const known = new EventsByXid();
    for (const event of events) known.insert(event);
    known.dropExpired(NOW);
    const ids = (some: readonly SessionEvent[]) => some.map(({ sessionId }) => sessionId).sort();
    const live = (event: SessionEvent) => event.expiresAt > NOW;
    const expected = events.filter((event) => live(event) && Number(event.xid) >= from);
    expect(ids(known.from(BigInt(from)).filter(live))).toEqual(ids(expected));
  });
  fc.assert(property, { numRuns: 300 });
});
