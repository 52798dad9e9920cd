/** Settings of social providers by configuration (docs/contract.md, section 15.5). */

export const SOCIAL_PROTOCOLS = ["oidc", "oauth2"] as const;
export const SOCIAL_TOKEN_AUTHS = ["client_secret_basic", "client_secret_post", "none"] as const;
export const SOCIAL_PKCE_METHODS = ["S256", "off"] as const;
export const SOCIAL_RESPONSE_MODES = ["query", "form_post"] as const;
export const SOCIAL_CLAIMS_SOURCES = ["id_token", "userinfo"] as const;
export const SOCIAL_EMAIL_TRUSTS = ["claim", "always", "never"] as const;

/** The preset without defaults of a provider. */
export const CUSTOM_PRESET = "custom";

/** The settings without the secret, with the member names of the wire and of the column. */
export interface SocialProviderConfig {
  readonly preset: string;
  readonly protocol: (typeof SOCIAL_PROTOCOLS)[number];
  readonly name: string;
  readonly enabled: boolean;
  /** False: the provider signs in and links only. */
  readonly sign_up: boolean;
  readonly issuer: string | null;
  readonly authorization_endpoint: string | null;
  readonly token_endpoint: string | null;
  readonly userinfo_endpoint: string | null;
  readonly jwks_uri: string | null;
  readonly client_id: string | null;
  readonly token_auth: (typeof SOCIAL_TOKEN_AUTHS)[number];
  readonly scopes: readonly string[];
  readonly authorization_parameters: Readonly<Record<string, string>>;
  readonly pkce: (typeof SOCIAL_PKCE_METHODS)[number];
  readonly nonce: boolean;
  readonly response_mode: (typeof SOCIAL_RESPONSE_MODES)[number];
  readonly claims_from: (typeof SOCIAL_CLAIMS_SOURCES)[number];
  /** JSON pointers (RFC 6901) into the claims. */
  readonly subject_from: string;
  readonly email_from: string;
  readonly email_verified_from: string;
  readonly name_from: string;
  readonly email_trust: (typeof SOCIAL_EMAIL_TRUSTS)[number];
  readonly email_domains: readonly string[];
}

/** The settings that a request names; a preset and the protocol give the others. */
export type GivenSocialConfig = { readonly [Member in keyof SocialProviderConfig]?: SocialProviderConfig[Member] };

/** A key of a provider by configuration: a segment of paths, and a value of lists of sign-in methods. */
const KEY = /^[a-z][a-z0-9_]{1,31}$/;

/** Values of the same lists, and of first factors that policies compare with the lists, with another meaning. */
const RESERVED_KEYS: ReadonlySet<string> = new Set([
  "email_transport",
  "password",
  "passkey",
  "email_otp",
  "email_code",
  "social",
  "social_oauth",
  "sso",
  "ticket",
]);

export function isSocialProviderKey(text: string): boolean {
  return KEY.test(text) && !RESERVED_KEYS.has(text) && !text.startsWith("oauth_idp_");
}

/**
 * The issuer of identities of a provider by configuration: an issuer has no fragment, so that identities of two epochs
 * (`social_providers.identity_epoch`) never match.
 */
export function issuerOfEpoch(issuer: string, epoch: number): string {
  return epoch === 0 ? issuer : `${issuer}#${epoch}`;
}
