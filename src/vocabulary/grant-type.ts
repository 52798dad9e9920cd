/** The grants of the token endpoint (RFC 6749, section 4; RFC 7523; RFC 8628, section 3.4; RFC 8693). */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
export const EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
export const ASSERTION_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
export const GRANT_TYPES = [
  "authorization_code",
  "refresh_token",
  "client_credentials",
  DEVICE_GRANT,
  EXCHANGE_GRANT,
  ASSERTION_GRANT,
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];
