const SCHEME = "bearer ";
const DPOP_SCHEME = "dpop ";

/**
 * The token of an Authorization header (RFC 6750, section 2.1): the scheme in any case; undefined for another scheme.
 * The check uses no regular expression: a session check is so fast that a pattern over the whole token would be
 * measurable. The code that distinguishes the kinds of token validates the characters.
 */
export function bearerToken(authorization: string): string | undefined {
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  return authorization.slice(SCHEME.length).trimStart();
}

/** As `bearerToken`, of the scheme of tokens that are bound to a key (RFC 9449, section 7.1). */
export function dpopToken(authorization: string): string | undefined {
  if (authorization.slice(0, DPOP_SCHEME.length).toLowerCase() !== DPOP_SCHEME) return undefined;
  return authorization.slice(DPOP_SCHEME.length).trimStart();
}
