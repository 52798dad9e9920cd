/** Bounds of a first controlling proof (docs/contract.md, section 5.3). */

/** Removed credentials, and members, that a notice to an owner names. */
export const NOTICE_ITEMS_MAX = 50;
/** Pending deliveries that the transaction of a controlling proof ends; the rest waits for a disabled receiver. */
export const PROOF_DELIVERIES_ENDED_MAX = 10_000;
