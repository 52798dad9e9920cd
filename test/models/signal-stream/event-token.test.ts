/** The subjects of security events (docs/contract.md, sections 27.4 and 37.2). */
import { describe, expect, test } from "bun:test";
import { eventClaims } from "../../../src/models/signal-stream/event-token.ts";
import { personalOrganizationId } from "../../../src/vocabulary/personal-organization.ts";

const USER = "019a0000-0000-7000-8000-000000000001";
const TEAM = "019a0000-0000-7000-8000-000000000002";

/** The subject of the event about an ended session in an organization. */
function subjectIn(organizationId: string): unknown {
  const details = {
    txn: "txn",
    user_id: USER,
    session_id: "019a0000-0000-7000-8000-000000000003",
    organization_id: organizationId,
    initiator: "user",
    reason: "logout",
    previous_aal: null,
    transports: null,
    aaguid: null,
  };
  return eventClaims("https://issuer.example", {
    streamId: "stream",
    serviceAccountId: "account",
    eventId: "event",
    eventType: "auth.session.revoked",
    payload: JSON.stringify(details),
    createdAt: new Date("2026-11-30T00:00:00Z"),
  }).sub_id;
}

describe("the subject of an ended session (G614)", () => {
  test("names the organization as tenant, and no tenant in a personal organization", () => {
    expect(subjectIn(TEAM)).toMatchObject({ format: "complex", tenant: { format: "opaque", id: TEAM } });
    for (const id of [personalOrganizationId(USER), personalOrganizationId(USER).toUpperCase()]) {
      const personal = subjectIn(id);
      expect(personal).toMatchObject({ format: "complex", user: { sub: USER }, session: { format: "opaque" } });
      expect(personal).not.toHaveProperty("tenant");
    }
  });
});
