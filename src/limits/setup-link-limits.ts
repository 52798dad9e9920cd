/** Bounds of set-up links (docs/contract.md, section 29.50). */

export const SETUP_LINK_HOURS_DEFAULT = 72;
export const SETUP_LINK_HOURS_MAX = 336;
/** Live links of an organization. */
export const SETUP_LINKS_MAX = 5;
/** After "Begin", the browser has this time. */
export const SETUP_BROWSER_LIFETIME_SECONDS = 8 * 3600;
/** An ended link stays in the list of the organization for this time. */
export const SETUP_LINK_RETENTION_MS = 30 * 24 * 3600 * 1000;
