/** Limits of the platform console (docs/pages.md) and of feature flags. */

/** Organizations in a list of a feature flag, as displayed by the console. */
export const FLAG_ORGANIZATIONS_MAX = 1_000;
/**
 * The chart of the audit trail: hours for periods up to the first bound, else days; without a period, the last hours.
 */
export const AUDIT_CHART_HOURS_MAX = 72;
export const AUDIT_CHART_SPAN_HOURS = 24;
export const AUDIT_CHART_BARS_MAX = 92;

/** Rows of a CSV download of a console list: a response is composed in memory. */
export const CSV_ROWS_MAX = 10_000;

/** Members whose tokens the list of applications of an organization reads. */
export const APPLICATION_MEMBERS_MAX = 10_000;

/** The overview names so many keys and webhooks that need attention, and counts no further than the second bound. */
export const ATTENTION_ITEMS_MAX = 10;
export const ATTENTION_COUNTED_MAX = 1_000;
/** Keys that end within this time need attention. */
export const KEY_EXPIRY_NOTICE_MS = 14 * 86_400_000;
/** Attempts of an email before the email counts as failed: the first attempt is in progress or failed once. */
export const EMAIL_ATTEMPTS_FAILED = 2;

/** The figures of the overview about users read so many rows of a table at most; a replica keeps them for a minute. */
export const DASHBOARD_ROWS_MAX = 1_000_000;
export const DASHBOARD_AGE_MS = 60_000;
/** Users, organizations and applications each that the palette of the console finds. */
export const PALETTE_FOUND_MAX = 5;
/** The overview names so many organizations with the most active users. */
export const DASHBOARD_ORGANIZATIONS = 5;

// Feature flags (docs/contract.md, section 14.9)
export const FEATURE_FLAGS_MAX = 1_000;

/** Rows of one action on a selection: the largest page of a list. */
export const SELECTION_ROWS_MAX = 100;

/** The live view of the audit trail: the interval between two loads, and the end of the view. */
export const AUDIT_LIVE_REFRESH_SECONDS = 10;
export const AUDIT_LIVE_MINUTES = 30;
