/** The grants of the token endpoint (RFC 6749, section 4; RFC 8628, section 3.4). */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
export const GRANT_TYPES = ["authorization_code", "refresh_token", "client_credentials", DEVICE_GRANT] as const;
export type GrantType = (typeof GRANT_TYPES)[number];
