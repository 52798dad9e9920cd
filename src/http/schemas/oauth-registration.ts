import { type TSchema, Type } from "@sinclair/typebox";
import {
  REGISTRATION_TOKEN_DAYS_DEFAULT,
  REGISTRATION_TOKEN_DAYS_MAX,
  REGISTRATION_TOKEN_USES_MAX,
} from "../../limits/oauth-limits.ts";
import { name, Timestamp, text, Uuid, url } from "./common.ts";

/** A member whose type the flow validates, because RFC 7591 has own error codes. */
const member = (documented: object, description: string, example: unknown) =>
  Type.Optional(Type.Unknown({ documented, description, examples: [example] }) as TSchema);
const string = { type: "string" };
const list = { type: "array", items: string };

export const ClientMetadata = Type.Object(
  {
    client_name: member(string, "displayed to users", "Notes"),
    redirect_uris: member(list, "for authorization_code", ["https://notes.example.com/callback"]),
    grant_types: member(list, "authorization_code, refresh_token or the device grant", ["authorization_code"]),
    response_types: member(list, "code", ["code"]),
    token_endpoint_auth_method: member(string, "default client_secret_basic", "none"),
    application_type: member(string, "web or native; default web", "native"),
    scope: member(string, "separated by spaces", "openid profile"),
    jwks: member({ type: "object" }, "public keys, for private_key_jwt", { keys: [] }),
    jwks_uri: member(string, "address of the public keys", "https://notes.example.com/jwks.json"),
    logo_uri: member(string, "picture for the consent page", "https://notes.example.com/logo.png"),
    policy_uri: member(string, "privacy policy", "https://notes.example.com/privacy"),
    tos_uri: member(string, "terms of service", "https://notes.example.com/terms"),
    client_uri: member(string, "home page", "https://notes.example.com/"),
    post_logout_redirect_uris: member(list, "where a logout may lead", ["https://notes.example.com/bye"]),
    backchannel_logout_uri: member(string, "receives logout tokens", "https://notes.example.com/logout"),
    id_token_signed_response_alg: member(string, "RS256, ES256 or EdDSA; default RS256", "ES256"),
    require_pushed_authorization_requests: member({ type: "boolean" }, "RFC 9126", false),
    require_signed_request_object: member({ type: "boolean" }, "RFC 9101", false),
    dpop_bound_access_tokens: member({ type: "boolean" }, "RFC 9449", false),
  },
  {
    $id: "ClientMetadata",
    additionalProperties: true,
    description: "RFC 7591, section 2. Unknown members are ignored.",
  },
);

const optional = (schema: TSchema) => Type.Optional(schema);

export const ClientInformation = Type.Object(
  {
    client_id: Uuid,
    client_id_issued_at: Type.Integer({ description: "Unix seconds", examples: [1767323045] }),
    client_secret: optional(text("pZ1-0qfV5k7mPZJ3sXc9dYbW2eRtGhUj8aLo4iKn6Qw", "only where the secret is new")),
    client_secret_expires_at: optional(Type.Integer({ description: "0: never", examples: [0] })),
    registration_access_token: text("9x1yq0c2dQ4a7mZ8RkP3sVbN6tUwXeHj5LfGiOaKoIc", "manages the registration"),
    registration_client_uri: url(
      "https://auth.acme.test/oauth2/register/0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e",
      "for GET, PUT and DELETE (RFC 7592)",
    ),
    client_name: text("Notes"),
    redirect_uris: Type.Array(text("https://notes.example.com/callback")),
    grant_types: Type.Array(text("authorization_code")),
    response_types: Type.Array(text("code")),
    token_endpoint_auth_method: text("none"),
    application_type: text("native"),
    scope: text("openid profile"),
    subject_type: text("public"),
    jwks: optional(Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) })),
    jwks_uri: optional(text("https://notes.example.com/jwks.json")),
    logo_uri: optional(text("https://notes.example.com/logo.png")),
    policy_uri: optional(text("https://notes.example.com/privacy")),
    tos_uri: optional(text("https://notes.example.com/terms")),
    client_uri: optional(text("https://notes.example.com/")),
    post_logout_redirect_uris: optional(Type.Array(text("https://notes.example.com/bye"))),
    backchannel_logout_uri: optional(text("https://notes.example.com/logout")),
    id_token_signed_response_alg: text("RS256"),
    require_pushed_authorization_requests: Type.Boolean({ examples: [false] }),
    require_signed_request_object: Type.Boolean({ examples: [false] }),
    dpop_bound_access_tokens: Type.Boolean({ examples: [false] }),
    left_out: optional(
      Type.Array(
        Type.Object({
          member: text("redirect_uris"),
          value: text("cursor://anysphere.cursor-mcp/oauth/callback"),
          reason: text("a private-use scheme is a reversed domain name, such as com.example.app"),
        }),
        { description: "what the service does not use of the request" },
      ),
    ),
  },
  { $id: "ClientInformation", description: "RFC 7591, section 3.2.1" },
);

const token = {
  id: Uuid,
  name: name("CI of Notes", "for administrators"),
  max_uses: Type.Integer({ examples: [1] }),
  uses: Type.Integer({ description: "registrations so far", examples: [0] }),
  created_at: Timestamp,
  expires_at: Timestamp,
};
export const RegistrationTokenItem = Type.Object(token, { $id: "RegistrationToken" });
export const RegistrationTokenWithText = Type.Object(
  { ...token, token: text("9x1yq0c2dQ4a7mZ8RkP3sVbN6tUwXeHj5LfGiOaKoIc", "only in this response; stored as a hash") },
  { $id: "RegistrationTokenWithText" },
);

export const CreateRegistrationToken = Type.Object(
  {
    name: token.name,
    max_uses: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: REGISTRATION_TOKEN_USES_MAX,
        description: "registrations by the token; default 1",
        examples: [1],
      }),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: REGISTRATION_TOKEN_DAYS_MAX,
        description: `default: ${REGISTRATION_TOKEN_DAYS_DEFAULT}`,
        examples: [REGISTRATION_TOKEN_DAYS_DEFAULT],
      }),
    ),
  },
  { $id: "CreateRegistrationToken" },
);
