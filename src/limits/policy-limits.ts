/** Bounds of the policies of organizations (docs/contract.md, chapter 33). */

export const POLICY_GRACE_DAYS_MAX = 30;
export const POLICY_SESSION_HOURS_MAX = 2_160;
export const POLICY_IDLE_MINUTES_MIN = 5;
export const POLICY_IDLE_MINUTES_MAX = 43_200;
export const POLICY_NETWORKS_MAX = 64;
/** An IPv6 address with an IPv4 part and a prefix length, with room for leading zeros. */
export const POLICY_NETWORK_MAX_CHARACTERS = 64;
export const POLICY_INVITE_DOMAINS_MAX = 50;
export const POLICY_APPROVED_CLIENTS_MAX = 100;
/** Requests of members for applications that wait for a decision of the organization. */
export const APPLICATION_REQUESTS_MAX = 100;
/** Token families that one statement ends. */
export const ENDED_FAMILIES_BATCH = 1_000;
export const POLICY_PASSWORD_LENGTH_MAX = 64;
/** `policies_at` is at most this far ahead. */
export const POLICY_AHEAD_DAYS_MAX = 30;
/** A start of "now" may arrive by a clock that is behind. */
export const POLICY_START_TOLERANCE_MS = 60_000;
/** Members that a dry run names. */
export const POLICY_DRY_RUN_MEMBERS_MAX = 100;
/** Pause between two looks for policies that begin. */
export const POLICY_ENFORCEMENT_LOOK_MS = 250;
/** Time until the second round, for sign-ins that overlapped with the first. */
export const POLICY_ENFORCEMENT_SECOND_MS = 10_000;
export const POLICY_ENFORCEMENT_REPEAT_MS = 5 * 60 * 1000;
