import { rfc3339 } from "../base/clock.ts";
import { REVOCATION_FEED_MAX_AGE_SECONDS } from "../limits/session-limits.ts";
import type { RevocationFeed } from "../models/session/revocation-cache.ts";
import { bodyWithShared, sharedBody } from "./reply.ts";

/** The entries of the feed: each list is serialised once, and a new list replaces the list when the feed changes. */
const entriesOf = sharedBody((revocations: RevocationFeed["revocations"]) =>
  revocations.map((event) => ({
    sid: event.sessionId,
    revoked_at: rfc3339(event.at),
    expires_at: rfc3339(event.expiresAt),
    reason: event.reason,
  })),
);

/** The body of the revocation feed (docs/contract.md, section 18.3). */
export function revocationsBody(issuer: string, feed: RevocationFeed) {
  const head = {
    issuer,
    generated_at: rfc3339(feed.generatedAt),
    age_ms: feed.ageMs,
    max_age_secs: REVOCATION_FEED_MAX_AGE_SECONDS,
    cursor: feed.cursor,
  };
  return bodyWithShared(head, "revocations", entriesOf(feed.revocations));
}
