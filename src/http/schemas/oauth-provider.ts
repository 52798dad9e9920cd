import { Type } from "@sinclair/typebox";
import { nullable, oneOf, text, Uuid, url } from "./common.ts";

/** RFC 6749, section 5.2. */
export const OAuthError = Type.Object(
  { error: text("invalid_grant", "a code of RFC 6749"), error_description: text("The code is invalid or used.") },
  { $id: "OAuthError" },
);

export const optional = (example: string, description: string) =>
  Type.Optional(Type.String({ examples: [example], description }));

/** How a client names and authenticates itself in a form. */
export const clientFields = {
  client_id: optional("0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e", "of a client without an Authorization header"),
  client_secret: optional("pZ1-0qfV5k7mPZJ3sXc9dYbW2eRtGhUj8aLo4iKn6Qw", "for client_secret_post"),
  client_assertion_type: optional("urn:ietf:params:oauth:client-assertion-type:jwt-bearer", "for private_key_jwt"),
  client_assertion: optional("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", "signed JWT, for private_key_jwt"),
};

export const TokenForm = Type.Object(
  {
    grant_type: optional(
      "authorization_code",
      "authorization_code, refresh_token, client_credentials or a URN; required",
    ),
    code: optional("9x1yq0c2dQ4a7mZ8RkP3sVbN6tUwXeHj5LfGiOaKoIc", "for authorization_code"),
    redirect_uri: optional(
      "https://app.example.com/callback",
      "for authorization_code: the redirect URI of the request",
    ),
    code_verifier: optional("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "for authorization_code (RFC 7636)"),
    refresh_token: optional("AZjA3noRfMOy1G8aKzxNXg", "for refresh_token"),
    subject_token: optional(
      "eyJhbGciOiJSUzI1NiJ9.e30.c2ln",
      "for token-exchange: the received access token (RFC 8693)",
    ),
    subject_token_type: optional("urn:ietf:params:oauth:token-type:access_token", "for token-exchange"),
    requested_token_type: optional("urn:ietf:params:oauth:token-type:access_token", "for token-exchange"),
    assertion: optional("eyJhbGciOiJFUzI1NiJ9.e30.c2ln", "for jwt-bearer: an identity assertion grant"),
    device_code: optional("9x1yq0c2dQ4a7mZ8RkP3sVbN6tUwXeHj5LfGiOaKoIc", "for the grant of a device (RFC 8628)"),
    scope: optional("openid profile", "for refresh_token and client_credentials: fewer scopes"),
    resource: optional("https://api.example.com/", "resource server of the access token (RFC 8707), repeatable"),
    ...clientFields,
  },
  { $id: "TokenRequest" },
);

export const PushedRequestForm = Type.Object(
  {
    response_type: optional("code", "code; required"),
    redirect_uri: optional("https://app.example.com/callback", "required; registered, to the letter"),
    scope: optional("openid profile", "separated by spaces"),
    state: optional("af0ifjsldkj", "returned to the redirect URI"),
    nonce: optional("n-0S6_WzA2Mj", "returned in the ID token"),
    code_challenge: optional("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "RFC 7636, section 4.2"),
    code_challenge_method: optional("S256", "S256"),
    dpop_jkt: optional(
      "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I",
      "the only key of the code (RFC 9449, section 10)",
    ),
    resource: optional("https://api.example.com/", "resource server of the access token (RFC 8707), repeatable"),
    request: optional("eyJhbGciOiJFUzI1NiJ9.e30.c2ln", "signed request object, in place of the parameters (RFC 9101)"),
    response_mode: optional("query", "query, form_post, jwt, query.jwt or form_post.jwt"),
    ...clientFields,
  },
  {
    $id: "PushedAuthorizationRequest",
    description: "Every parameter of GET /oauth2/authorize is accepted except `request_uri`.",
  },
);

export const PushedReference = Type.Object(
  {
    request_uri: text(
      "urn:ietf:params:oauth:request_uri:9x1yq0c2dQ4a7mZ8RkP3sVbN6tUwXeHj5LfGiOaKoIc",
      "for GET /oauth2/authorize, with client_id; for one use",
    ),
    expires_in: Type.Integer({ description: "seconds", examples: [90] }),
  },
  { $id: "PushedAuthorizationResponse", description: "RFC 9126, section 2.2" },
);

export const TokenResponse = Type.Object(
  {
    access_token: text("eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln", "RFC 9068"),
    token_type: oneOf(["Bearer", "DPoP"], { description: "DPoP: bound to the key of the proof (RFC 9449)" }),
    expires_in: Type.Integer({ description: "seconds", examples: [900] }),
    scope: text("openid profile"),
    refresh_token: optional("AZjA3noRfMOy1G8aKzxNXg", "if the client may refresh"),
    id_token: optional("eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "for scope openid"),
    issued_token_type: optional("urn:ietf:params:oauth:token-type:access_token", "of a token exchange (RFC 8693)"),
  },
  { $id: "TokenResponse", description: "RFC 6749, section 5.1" },
);

export const TokenActionForm = Type.Object(
  {
    token: optional("eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln", "access or refresh token; required"),
    token_type_hint: optional("access_token", "ignored: tokens of every kind are recognised"),
    ...clientFields,
  },
  { $id: "TokenActionRequest" },
);

const claimsTruncated = Type.Optional(
  Type.Array(text("groups"), { description: "claims of mappings that were cut or left out for the size" }),
);
export const Introspection = Type.Object(
  {
    active: Type.Boolean({ examples: [true] }),
    token_type: optional("Bearer", "Bearer, DPoP or refresh_token"),
    client_id: Type.Optional(Uuid),
    scope: optional("openid profile", "separated by spaces"),
    sub: optional("0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e", "the user, or the client itself"),
    username: optional("ada@example.com", "email address of the user, with the scope email"),
    email: optional("ada@example.com", "claim of an API"),
    name: optional("Ada Lovelace", "claim of an API"),
    org_slug: optional("acme", "claim of an API: the organization"),
    roles: Type.Optional(Type.Array(text("member"), { description: "claim of an API: built-in and additional roles" })),
    permissions: Type.Optional(Type.Array(text("invoices.approve"), { description: "claim of an API" })),
    groups: Type.Optional(Type.Array(text("Finance"), { description: "claim of an API: groups of the user" })),
    groups_truncated: Type.Optional(Type.Boolean({ description: "the user has further groups", examples: [true] })),
    permissions_truncated: Type.Optional(Type.Boolean({ description: "the user has more", examples: [true] })),
    roles_truncated: Type.Optional(Type.Boolean({ description: "the user has more", examples: [true] })),
    iss: optional("https://auth.acme.test", "this service"),
    aud: Type.Optional(
      Type.Union([text("https://api.example.com/"), Type.Array(text("https://api.example.com/"))], {
        examples: ["https://api.example.com/"],
      }),
    ),
    sid: Type.Optional(Uuid),
    jti: Type.Optional(Uuid),
    org: Type.Optional(Uuid),
    acr: optional("aal1", "assurance level"),
    auth_time: Type.Optional(Type.Integer({ examples: [1767323045] })),
    cnf: Type.Optional(
      Type.Object(
        { jkt: text("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I", "thumbprint of the key (RFC 7638)") },
        { description: "of a token with the type DPoP" },
      ),
    ),
    act: Type.Optional(
      Type.Object(
        { sub: text("0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e", "client that acts for the user") },
        { additionalProperties: true, description: "RFC 8693, section 4.1; `act` inside names the client before" },
      ),
    ),
    iat: Type.Optional(Type.Integer({ examples: [1767323045] })),
    exp: Type.Optional(Type.Integer({ examples: [1767323945] })),
    claims_truncated: claimsTruncated,
  },
  {
    $id: "Introspection",
    additionalProperties: true,
    description: "RFC 7662, section 2.2; for an invalid token `active` alone",
  },
);

export const UserInfoForm = Type.Object(
  { access_token: optional("eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "in place of the Authorization header") },
  { $id: "UserInfoRequest" },
);

const UserInfoMetadata = Type.Record(Type.String(), Type.Unknown(), {
  description: "absent without metadata",
  examples: [{ plan: "gold" }],
});

export const UserInfo = Type.Object(
  {
    sub: text("0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e"),
    name: optional(
      "Ada Lovelace",
      "scope profile: the display name; with scope email else the local part of the address",
    ),
    preferred_username: optional("ada@example.com", "scopes profile and email: the verified address"),
    picture: optional("https://auth.acme.test/avatars/3f2a9c.webp", "scope profile"),
    locale: optional("en-GB", "scope profile"),
    updated_at: Type.Optional(Type.Integer({ description: "scope profile", examples: [1767323045] })),
    email: optional("ada@example.com", "scope email"),
    email_verified: Type.Optional(Type.Boolean({ description: "scope email", examples: [true] })),
    organization: Type.Optional(
      Type.Object(
        {
          id: Uuid,
          slug: text("acme"),
          role: text("member"),
          roles: Type.Optional(Type.Array(text("auditor"), { description: "keys of additional roles, if any" })),
          public_metadata: Type.Optional(UserInfoMetadata),
          member_public_metadata: Type.Optional(UserInfoMetadata),
        },
        { description: "with the scope organization: the organization of the sign-in" },
      ),
    ),
    claims_truncated: claimsTruncated,
  },
  { $id: "UserInfo", additionalProperties: true, description: "OpenID Connect Core, section 5.3.2" },
);

/** OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2. */
export const providerMetadata = {
  token_endpoint: url("https://auth.acme.test/oauth2/token", "RFC 6749"),
  token_endpoint_auth_methods_supported: Type.Array(text("client_secret_basic")),
  token_endpoint_auth_signing_alg_values_supported: Type.Array(text("ES256")),
  introspection_endpoint: url("https://auth.acme.test/oauth2/introspect", "RFC 7662"),
  introspection_endpoint_auth_methods_supported: Type.Array(text("client_secret_basic")),
  introspection_endpoint_auth_signing_alg_values_supported: Type.Array(text("ES256")),
  revocation_endpoint: url("https://auth.acme.test/oauth2/revoke", "RFC 7009"),
  revocation_endpoint_auth_methods_supported: Type.Array(text("client_secret_basic")),
  revocation_endpoint_auth_signing_alg_values_supported: Type.Array(text("ES256")),
  userinfo_endpoint: url("https://auth.acme.test/oauth2/userinfo", "OpenID Connect Core, section 5.3"),
  grant_types_supported: Type.Array(text("authorization_code")),
  authorization_grant_profiles_supported: Type.Array(text("urn:ietf:params:oauth:grant-profile:id-jag")),
  scopes_supported: Type.Array(text("openid")),
  response_types_supported: Type.Array(text("code")),
  authorization_endpoint: Type.Optional(url("https://auth.acme.test/oauth2/authorize", "while pages are on")),
  pushed_authorization_request_endpoint: Type.Optional(
    url("https://auth.acme.test/oauth2/par", "RFC 9126, while pages are on"),
  ),
  device_authorization_endpoint: Type.Optional(
    url("https://auth.acme.test/oauth2/device_authorization", "RFC 8628, while pages are on"),
  ),
  client_id_metadata_document_supported: Type.Optional(Type.Boolean({ examples: [true] })),
  registration_endpoint: Type.Optional(
    url("https://auth.acme.test/oauth2/register", "RFC 7591, while registration is on"),
  ),
  require_pushed_authorization_requests: Type.Optional(Type.Boolean({ examples: [false] })),
  end_session_endpoint: Type.Optional(url("https://auth.acme.test/oauth2/logout", "while pages are on")),
  response_modes_supported: Type.Optional(Type.Array(text("query"))),
  code_challenge_methods_supported: Type.Optional(Type.Array(text("S256"))),
  prompt_values_supported: Type.Optional(Type.Array(text("none"))),
  acr_values_supported: Type.Optional(Type.Array(text("aal2"))),
  authorization_response_iss_parameter_supported: Type.Optional(
    Type.Boolean({ description: "RFC 9207", examples: [true] }),
  ),
  backchannel_logout_supported: Type.Optional(Type.Boolean({ examples: [true] })),
  backchannel_logout_session_supported: Type.Optional(Type.Boolean({ examples: [true] })),
  dpop_signing_alg_values_supported: Type.Array(text("ES256", "RFC 9449")),
  claims_parameter_supported: Type.Boolean({ examples: [false] }),
  request_parameter_supported: Type.Boolean({ examples: [true] }),
  request_object_signing_alg_values_supported: Type.Optional(Type.Array(text("ES256", "RFC 9101"))),
  require_signed_request_object: Type.Optional(Type.Boolean({ examples: [false] })),
  authorization_signing_alg_values_supported: Type.Optional(Type.Array(text("ES256", "JARM"))),
  request_uri_parameter_supported: Type.Boolean({ examples: [false] }),
  ui_locales_supported: Type.Optional(Type.Array(text("en", "languages of the pages"))),
  require_request_uri_registration: Type.Optional(Type.Boolean({ examples: [true] })),
};

/** The members by which front ends display an application under no other identity (section 23.32). */
export const applicationOrigin = {
  kind: oneOf(["registered", "document", "dynamic"], {
    description: "`dynamic`: the application registered itself; display a warning beside the name",
  }),
  host: nullable(text("app.example.com", "host of the metadata document; display the host before the name")),
};

/** An application as displayed to its users. */
export const DisplayedApplication = Type.Object({
  id: Uuid,
  name: text("Wiki"),
  logo_url: nullable(url("https://wiki.example.com/logo.svg", "picture of the application")),
  first_party: Type.Boolean({ description: "of the operator of this service", examples: [false] }),
  ...applicationOrigin,
});

export const GrantOfUser = Type.Object(
  {
    id: Uuid,
    client: DisplayedApplication,
    scopes: Type.Array(text("openid")),
    resources: Type.Array(text("https://api.example.com/")),
    by_organization: Type.Boolean({
      description: "allowed by the identity provider of an organization, and never by the user",
      examples: [false],
    }),
    created_at: text("2026-01-02T03:04:05.678Z"),
    updated_at: text("2026-01-02T03:04:05.678Z"),
    last_used_at: nullable(text("2026-01-02T03:04:05.678Z", "when tokens were last issued")),
  },
  { $id: "Grant", description: "What a user allowed an application" },
);

export const AuthorizationServer = Type.Object(
  {
    issuer: url("https://auth.acme.test", "value of the claim iss"),
    jwks_uri: url("https://auth.acme.test/.well-known/jwks.json", "public signing keys"),
    ...providerMetadata,
  },
  { $id: "AuthorizationServer", description: "RFC 8414" },
);
