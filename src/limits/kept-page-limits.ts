/** Bounds of the pages that forms produce, and of forms that are sent twice (docs/pages.md, "Pages by redirect"). */

/** How long reload, Back and Forward display the page of a form. */
export const KEPT_PAGE_LIFETIME_SECONDS = 600;
/** Compressed and sealed; a page of the longest list has a tenth. */
export const KEPT_PAGE_MAX_BYTES = 262_144;
/** Bound of a replica, so that a flood keeps at most 160 MiB. A page of a visitor has about 3 KiB. */
export const KEPT_PAGES_BYTES_PER_MINUTE_MAX = 16_777_216;
/** What the shared state stores beside a page: the key, and the entry itself. */
export const KEPT_PAGE_OVERHEAD_BYTES = 256;
/** Bound of the pages in the memory of a replica without Redis. */
export const LOCAL_KEPT_MAX_BYTES = 33_554_432;

/** How long a form counts as being executed, and how long a second press waits for the outcome of the first. */
export const PRESS_LIFETIME_MS = 15_000;
export const PRESS_WAIT_MS = 5_000;
export const PRESS_WAIT_STEP_MS = 25;
/** A second press of the same displayed form after the first succeeded. */
export const PRESS_REPEATED_MS = 10_000;
