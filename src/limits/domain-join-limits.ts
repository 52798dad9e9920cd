/** Open requests to join one organization by a verified domain. */
export const OPEN_JOIN_REQUESTS_MAX = 20;
/** A request ends this long after its creation, also a denied request. */
export const JOIN_REQUEST_LIFETIME_MS = 30 * 24 * 3600 * 1000;
