const SCHEME = "bearer ";

/**
 * The token of an Authorization header (RFC 6750, section 2.1): the scheme in any case; undefined for another scheme.
 * No pattern: a check of a session takes so little time that one over the whole token shows. What a token may consist
 * of is checked where tokens are told apart.
 */
export function bearerToken(authorization: string): string | undefined {
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  return authorization.slice(SCHEME.length).trimStart();
}
