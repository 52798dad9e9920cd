/** Limits of the platform console (docs/pages.md); all others are in `limits.ts`. */

/** Organizations in each list of a feature flag, as the console fills it. */
export const FLAG_ORGANIZATIONS_MAX = 1_000;
/** The chart of the audit trail: hours for periods up to the first, else days; without a period, its last hours. */
export const AUDIT_CHART_HOURS_MAX = 72;
export const AUDIT_CHART_SPAN_HOURS = 24;
export const AUDIT_CHART_BARS_MAX = 92;
