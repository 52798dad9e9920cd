/**
 * Compatibility with replicas of version 0.1.0 (docs/upgrading.md, "Code for 0.1.0"). Release 2.0 deletes this file and
 * the code at every use: 0.1.0 verifies RS256 only, so Ed25519 must not sign while a replica of 0.1.0 is connected
 * (docs/decisions/0010).
 */
import { KEY_RING_POLL_MS } from "../limits/session-limits.ts";

/**
 * `application_name` of the connections of this version in `pg_stat_activity`. The suffix 0.2 is a marker of every
 * version after 0.1.0, not the version: connections of 1.0.0 have the suffix too.
 */
export const DATABASE_CLIENT_NAME = "identity-service 0.2";
export const DATABASE_CLIENT_NAME_0_1_0 = "identity-service";
const NAME_IN_URL = /[?&]application_name=[^&#]*/g;

/**
 * The driver prefers a name in the URL, and version 0.1.0 may use the URL too: a name in the URL gets the version as a
 * suffix.
 */
export function markConnectionName(url: string): string {
  return url.replace(NAME_IN_URL, (parameter) => `${parameter}%200.2`);
}

/**
 * How long no replica of version 0.1.0 must have been connected before Ed25519 signs: twice the poll, so that a restart
 * of PostgreSQL, after which replicas reconnect in any order, is not taken for the end of the upgrade.
 */
export const OLDER_REPLICA_GRACE_MS = 2 * KEY_RING_POLL_MS;
