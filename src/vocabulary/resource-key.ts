/** The comparison of resource indicators (RFC 8707, section 2). */

const ESCAPE = /%[0-9a-f]{2}/gi;
/** RFC 3986, section 2.3: an escape of an unreserved character has no meaning of its own. */
const UNRESERVED = /^[A-Za-z0-9._~-]$/;
/** Hosts of further schemes are not names of DNS: their identifiers are compared as they are. */
const HTTP = /^https?:/i;

/**
 * The form of a resource indicator for comparisons (RFC 3986, section 6.2): scheme and host in lower case, without a
 * default port and a dot at the end of the host, a path at the root, escapes in upper case and only where necessary. A
 * trailing slash matters below the root only.
 */
export function resourceKey(identifier: string): string {
  if (!HTTP.test(identifier) || !URL.canParse(identifier)) return identifier;
  const url = new URL(identifier);
  // The setter refuses a host that consists of dots.
  url.hostname = url.hostname.replace(/\.$/, "");
  return url.href.replaceAll(ESCAPE, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return UNRESERVED.test(character) ? character : escaped.toUpperCase();
  });
}
