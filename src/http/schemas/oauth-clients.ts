import { Type } from "@sinclair/typebox";
import { REFRESH_REPEAT_SECONDS_MAX } from "../../limits/limits.ts";
import { OAUTH_CLIENT_ORGANIZATIONS_MAX } from "../../limits/oauth-limits.ts";
import { ACR_VALUES } from "../../vocabulary/assurance.ts";
import { GRANT_TYPES } from "../../vocabulary/grant-type.ts";
import { PROVIDER_ALGORITHMS } from "../../vocabulary/provider-algorithm.ts";
import { REGISTRATION_MODES } from "../../vocabulary/registration.ts";
import { ClientClaimMappings, NewClientClaimMappings } from "./claim-mappings.ts";
import { name, nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";
import { ProductSetup, presetMembers } from "./product-presets.ts";

const uri = (example: string, description: string) =>
  Type.String({ documented: { format: "uri" }, examples: [example], description });
const AuthMethod = oneOf(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"], {
  description: "authentication at the token endpoint; `none`: a public client",
});
const GrantType = oneOf(GRANT_TYPES);
const ApplicationType = oneOf(["web", "native"], {
  description: "a native application may use a private scheme, and any port of a loopback redirect URI (RFC 8252)",
});
const SubjectType = oneOf(["public", "pairwise"], {
  description: "public: `sub` is equal for all clients; pairwise: `sub` differs by sector",
});

const Key = Type.Object(
  { kty: text("EC") },
  {
    additionalProperties: true,
    description: "RFC 7517",
    examples: [{ kty: "EC", crv: "P-256", x: "f83O", y: "x_FE" }],
  },
);

const ExchangeRule = Type.Object(
  {
    from: uri("https://api.example.com/", "API of the subject token, one of `audiences`"),
    to: uri("https://stock.example.com/", "API of the issued token"),
    scopes: Type.Array(
      Type.Union([
        text("stock:read", "scope of the issued token, permitted by the scope of this name in the subject token"),
        Type.Object({ from: text("orders:read"), to: text("stock:read") }),
      ]),
      { description: "a name, or the scope of the subject token (`from`) and of the issued token (`to`)" },
    ),
  },
  { description: "RFC 8693" },
);

/** The settings that a client can have and change. */
const settings = {
  logo_url: nullable(uri("https://wiki.example.com/logo.svg", "picture for the consent page")),
  policy_uri: nullable(uri("https://wiki.example.com/privacy", "privacy policy, linked on the consent page")),
  tos_uri: nullable(uri("https://wiki.example.com/terms", "terms of service, linked on the consent page")),
  client_uri: nullable(uri("https://wiki.example.com/", "home page, linked on the consent page")),
  redirect_uris: Type.Array(uri("https://wiki.example.com/callback", "compared to the letter")),
  post_logout_redirect_uris: Type.Array(uri("https://wiki.example.com/bye", "where a logout may lead")),
  backchannel_logout_uri: nullable(uri("https://wiki.example.com/logout", "receives logout tokens")),
  grant_types: Type.Array(GrantType),
  scopes: Type.Array(text("openid", "openid, profile, email, organization, offline_access, or a scope of your own")),
  resources: Type.Array(
    uri("https://api.example.com/", "resource servers for which the application may request tokens (RFC 8707)"),
  ),
  audiences: Type.Array(
    uri("https://api.example.com/", "resource servers of the application, which may introspect their tokens"),
  ),
  first_party: Type.Boolean({ description: "users are not asked for consent", examples: [false] }),
  require_acr: nullable(oneOf(ACR_VALUES), {
    description: "least sign-in of every authorization: aal2 with a second factor, phr with a passkey",
  }),
  registration: nullable(oneOf(REGISTRATION_MODES), {
    description: "how users of the application register (section 37.1); null: as everywhere",
  }),
  require_pkce: Type.Boolean({
    description: "false only for an application that authenticates; requests without a challenge then need a nonce",
    examples: [true],
  }),
  require_nonce_or_pkce: Type.Boolean({
    description:
      "false only with require_pkce false, for an application that authenticates and sends neither: " +
      "its codes are not bound to the browser",
    examples: [true],
  }),
  require_pushed_authorization_requests: Type.Boolean({
    description: "whether every authorization request is pushed to /oauth2/par first (RFC 9126, section 6)",
    examples: [false],
  }),
  dpop_bound_access_tokens: Type.Boolean({
    description: "whether every token request needs a proof of possession of a key (DPoP, RFC 9449, section 5.2)",
    examples: [false],
  }),
  require_dpop_nonce: Type.Boolean({
    description: "whether every proof of possession needs a nonce of the service (RFC 9449, section 8)",
    examples: [false],
  }),
  id_token_claims: oneOf(["scope", "none"], {
    description: "whether ID tokens contain the claims of profile, email and organization; default scope",
  }),
  id_token_signed_response_alg: oneOf(PROVIDER_ALGORITHMS, {
    description: "algorithm of ID tokens and logout tokens; default RS256",
  }),
  require_signed_request_object: Type.Boolean({
    description: "whether every authorization request is a signed request object (RFC 9101, section 10.5)",
    examples: [false],
  }),
  refresh_token_rotation: Type.Boolean({
    description: "whether a refresh replaces the refresh token; default true, with profile fapi2 false",
    examples: [true],
  }),
  refresh_repeat_seconds: Type.Integer({
    minimum: 0,
    maximum: REFRESH_REPEAT_SECONDS_MAX,
    description:
      "how long the previous refresh token repeats the response of its refresh; default 10, " +
      "more only for an application that authenticates or whose tokens are bound to a key",
    examples: [10],
  }),
  profile: oneOf(["none", "fapi2"], { description: "fapi2: the FAPI 2.0 Security Profile; default none" }),
  keys: Type.Array(Key, { description: "public keys, for private_key_jwt" }),
  jwks_uri: nullable(uri("https://wiki.example.com/jwks.json", "address of the public keys, in place of keys")),
  exchanges: Type.Array(ExchangeRule, { description: "token exchanges that the application may request" }),
  organizations: nullable(Type.Array(Uuid, { documented: { minItems: 1, maxItems: OAUTH_CLIENT_ORGANIZATIONS_MAX } }), {
    description: "the only organizations whose members sign in to the application; null: every organization",
  }),
  claim_mappings: ClientClaimMappings,
};

const Secret = Type.Object({ id: Uuid, created_at: Timestamp });

const displayed = {
  client_id: Uuid,
  name: name("Wiki", "displayed name"),
  application_type: ApplicationType,
  token_endpoint_auth_method: AuthMethod,
  subject_type: SubjectType,
  sector: nullable(text("example.com", "host by which pairwise subjects differ")),
  ...settings,
  kind: oneOf(["registered", "dynamic", "document"], {
    description: "dynamic: registered by itself (RFC 7591); document: identified by a metadata document",
  }),
  document_uri: nullable(
    uri("https://app.example.com/client.json", "address of the metadata document, the client_id in requests"),
  ),
  preset: nullable(text("grafana", "product preset of the registration; null: none")),
  managed_by: nullable(text("production", "set of `clients apply` that manages the client; null: no set")),
  secrets: Type.Array(Secret, { description: "at most two secrets, for a replacement without a gap" }),
  disabled: Type.Boolean({ examples: [false] }),
  created_at: Timestamp,
  updated_at: Timestamp,
};
export const OAuthClientItem = Type.Object(displayed, { $id: "OAuthClient" });

const secret = Type.Optional(
  text(
    "pZ1-0qfV5k7mPZJ3sXc9dYbW2eRtGhUj8aLo4iKn6Qw",
    "only in this response; stored as a hash; absent for a client without a secret",
  ),
);
/** A client with the newly created secret. */
export const OAuthClientWithSecret = Type.Object(
  { ...displayed, client_secret: secret },
  { $id: "OAuthClientWithSecret" },
);

const optionalSettings = {
  logo_url: Type.Optional(settings.logo_url),
  policy_uri: Type.Optional(settings.policy_uri),
  tos_uri: Type.Optional(settings.tos_uri),
  client_uri: Type.Optional(settings.client_uri),
  redirect_uris: Type.Optional(settings.redirect_uris),
  post_logout_redirect_uris: Type.Optional(settings.post_logout_redirect_uris),
  backchannel_logout_uri: Type.Optional(settings.backchannel_logout_uri),
  grant_types: Type.Optional(settings.grant_types),
  scopes: Type.Optional(settings.scopes),
  resources: Type.Optional(settings.resources),
  audiences: Type.Optional(settings.audiences),
  first_party: Type.Optional(settings.first_party),
  require_acr: Type.Optional(settings.require_acr),
  registration: Type.Optional(settings.registration),
  require_pkce: Type.Optional(settings.require_pkce),
  require_nonce_or_pkce: Type.Optional(settings.require_nonce_or_pkce),
  require_pushed_authorization_requests: Type.Optional(settings.require_pushed_authorization_requests),
  dpop_bound_access_tokens: Type.Optional(settings.dpop_bound_access_tokens),
  require_dpop_nonce: Type.Optional(settings.require_dpop_nonce),
  id_token_claims: Type.Optional(settings.id_token_claims),
  id_token_signed_response_alg: Type.Optional(settings.id_token_signed_response_alg),
  require_signed_request_object: Type.Optional(settings.require_signed_request_object),
  refresh_token_rotation: Type.Optional(settings.refresh_token_rotation),
  refresh_repeat_seconds: Type.Optional(settings.refresh_repeat_seconds),
  profile: Type.Optional(settings.profile),
  keys: Type.Optional(settings.keys),
  jwks_uri: Type.Optional(settings.jwks_uri),
  exchanges: Type.Optional(settings.exchanges),
  organizations: Type.Optional(settings.organizations),
  claim_mappings: Type.Optional(NewClientClaimMappings),
};

export const CreateOAuthClient = Type.Object(
  {
    name: displayed.name,
    token_endpoint_auth_method: AuthMethod,
    application_type: Type.Optional(ApplicationType),
    subject_type: Type.Optional(SubjectType),
    sector: Type.Optional(Type.String({ examples: ["example.com"], description: "for pairwise subjects" })),
    ...optionalSettings,
  },
  { $id: "CreateOAuthClient" },
);

/** Registration: a preset gives what the request does not. */
export const RegisterOAuthClient = Type.Object(
  {
    name: Type.Optional(displayed.name),
    token_endpoint_auth_method: Type.Optional(AuthMethod),
    application_type: Type.Optional(ApplicationType),
    subject_type: Type.Optional(SubjectType),
    sector: Type.Optional(Type.String({ examples: ["example.com"], description: "for pairwise subjects" })),
    ...optionalSettings,
    ...presetMembers,
  },
  { $id: "RegisterOAuthClient" },
);

/** The registered application with the configuration of the product. */
export const RegisteredOAuthClient = Type.Object(
  { ...displayed, client_secret: secret, setup: Type.Optional(ProductSetup) },
  { $id: "RegisteredOAuthClient" },
);

export const ChangeOAuthClient = Type.Object(
  {
    name: Type.Optional(displayed.name),
    disabled: Type.Optional(Type.Boolean({ description: "ends every token of the application", examples: [true] })),
    token_endpoint_auth_method: Type.Optional(AuthMethod),
    application_type: Type.Optional(ApplicationType),
    subject_type: Type.Optional(SubjectType),
    sector: Type.Optional(displayed.sector),
    ...optionalSettings,
  },
  { $id: "ChangeOAuthClient" },
);
