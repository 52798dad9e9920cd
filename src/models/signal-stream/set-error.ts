/**
 * Errors of receivers that concern the connection or the keys, not the event (RFC 8935, section 2.4; RFC 8936, section
 * 2.4.4): the event can be sent again later.
 */
const TEMPORARY_ERRORS: readonly unknown[] = ["access_denied", "authentication_failed", "invalid_key"];

/** `code`: the member `err` of a push response or of `setErrs`. */
export function isTemporaryError(code: unknown): boolean {
  return TEMPORARY_ERRORS.includes(code);
}
