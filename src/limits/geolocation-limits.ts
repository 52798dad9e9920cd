/** Bounds of the geolocation file (docs/operating.md). */

/** The replica holds the file in memory. Files of city precision have 60 to 130 MiB. */
export const GEOLOCATION_FILE_MAX_BYTES = 512 * 1024 * 1024;
/** How often a replica looks for a replaced file. */
export const GEOLOCATION_POLL_MS = 5_000;
