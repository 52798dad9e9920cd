/** Text forms of bytes in SAML messages. */

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const WHITE_SPACE = /[ \t\r\n]+/g;

/** Base64 with white space between the characters (RFC 2045); undefined for other text. Buffer ignores bad input. */
export function decodeBase64(text: string): Buffer | undefined {
  const compact = text.replace(WHITE_SPACE, "");
  return BASE64.test(compact) ? Buffer.from(compact, "base64") : undefined;
}

const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,12})?(?:Z|\+00:00)$/;

/**
 * Milliseconds since the epoch of a time in UTC (SAML core 2.0, section 1.3.3); undefined for other text, and before
 * the epoch: PostgreSQL has no year 0.
 */
export function decodeTime(text: string): number | undefined {
  if (!UTC_TIME.test(text)) return undefined;
  // Date has milliseconds; SAML forbids reliance on finer units.
  const time = Date.parse(text.replace(/(\.\d{3})\d+/, "$1"));
  return time >= 0 ? time : undefined;
}
