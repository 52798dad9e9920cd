/** A name, an IPv4 address or a bracketed IPv6 address, with a port or without (RFC 3986, section 3.2). */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Whether RFC 9112, section 3.2, accepts the Host header. Bun joins several Host headers with a comma, and no host name
 * contains a comma. HTTP/1.0 sends no Host header; an empty header means that the target has no authority.
 */
export function isHostValid(host: string | null): boolean {
  return host === null || host === "" || HOST.test(host);
}
