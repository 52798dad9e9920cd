/** The settings of a connection by OpenID Connect (docs/contract.md, chapter 29). */
import type { IdentityMapping } from "./identity-mapping.ts";

/** The authentication of the service at the token endpoint. */
export const TOKEN_AUTHS = ["client_secret", "private_key_jwt"] as const;
export type TokenAuth = (typeof TOKEN_AUTHS)[number];

export const CLAIM_SOURCES = ["id_token", "userinfo"] as const;

/** As stored and as on the wire. A secret is never a member. */
export interface OidcConfig extends IdentityMapping {
  /** Null in a draft. */
  readonly issuer: string | null;
  /** Null in a draft. */
  readonly client_id: string | null;
  readonly token_auth: TokenAuth;
  /** A day (RFC 3339, full-date); the secret counts as expired from its begin in UTC. Null: unknown or never. */
  readonly client_secret_expires_on: string | null;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly claims_from: (typeof CLAIM_SOURCES)[number];
  /** Parameters of the authorization request, in addition to the parameters of the protocol. */
  readonly extra_parameters: Readonly<Record<string, string>>;
  readonly subject_from: string;
  readonly email_from: string;
  /** Clients whose ID-JAGs (identity assertion authorization grants) are accepted. */
  readonly id_jag: "off" | readonly string[];
}

/** The settings of a connection that can send a request to the identity provider. */
export type CompleteOidcConfig = OidcConfig & { readonly issuer: string; readonly client_id: string };

export const DEFAULT_OIDC_CONFIG: OidcConfig = {
  issuer: null,
  client_id: null,
  token_auth: "client_secret",
  client_secret_expires_on: null,
  scopes: "openid profile email",
  claims_from: "id_token",
  extra_parameters: {},
  subject_from: "sub",
  email_from: "email",
  first_name_from: "given_name",
  last_name_from: "family_name",
  display_name_from: "name",
  groups_from: null,
  attributes: [],
  mfa_trust: "never",
  clock_skew_seconds: 60,
  idp_initiated: "off",
  id_jag: "off",
};
