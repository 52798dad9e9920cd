/** Bounds of the comparison of power after a change (docs/contract.md, section 29.12). */

/** Members whose connections one statement compares. */
export const POWER_CHECK_MEMBERS = 200;
/** Sessions, and as many token families, that one transaction ends. */
export const POWER_CHECK_BATCH = 500;
/**
 * Organizations with a role whose sessions end, and whose owners get an email, in the transaction of a change; the
 * check ends further sessions.
 */
export const POWER_CHECK_ORGANIZATIONS = 20;
/** Organizations that a replica compares at one time. */
export const POWER_CHECKS_RUNNING = 100;
/** Pages of members that a replica compares at one time, of different organizations in turn. */
export const POWER_CHECK_LANES = 2;
/** Pause between two looks for changed power. */
export const POWER_CHECK_LOOK_MS = 300;
/** Extended before every batch, and released at the end; after a crash, another replica waits for the end. */
export const POWER_CHECK_LEASE_MS = 5_000;
/** Pause after a batch. */
export const POWER_CHECK_PAUSE_MS = 10;
/** Members with permissions that the confirmation of an activation compares. */
export const POWER_DIFFERENCES_READ = 200;
/** Members in one list of the confirmation of an activation. */
export const POWER_DIFFERENCES_LISTED = 20;
