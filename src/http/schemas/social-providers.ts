/** Social providers by configuration (docs/contract.md, sections 15.5 and 15.6). */
import { type Static, Type } from "@sinclair/typebox";
import {
  PROVIDER_FIELD_MAX_CHARACTERS,
  PROVIDER_SECRET_MAX_BYTES,
  PROVIDER_SECRET_MIN_CHARACTERS,
} from "../../limits/provider-limits.ts";
import {
  SOCIAL_EMAIL_DOMAINS_MAX,
  SOCIAL_NAME_MAX_CHARACTERS,
  SOCIAL_PARAMETERS_MAX,
  SOCIAL_POINTER_MAX_CHARACTERS,
  SOCIAL_SCOPES_MAX,
} from "../../limits/social-provider-limits.ts";
import {
  type GivenSocialConfig,
  SOCIAL_CLAIMS_SOURCES,
  SOCIAL_EMAIL_TRUSTS,
  SOCIAL_PKCE_METHODS,
  SOCIAL_PROTOCOLS,
  SOCIAL_RESPONSE_MODES,
  SOCIAL_TOKEN_AUTHS,
} from "../../vocabulary/social-provider-config.ts";
import { nullable, oneOf, Timestamp, text, url } from "./common.ts";

export const SocialProviderKey = Type.String({
  documented: { pattern: "^[a-z][a-z0-9_]{1,31}$" },
  description: "key of the provider in paths, lists of sign-in methods, identities and audit records; cannot change",
  examples: ["gitlab"],
});

const preset = text("gitlab", "`custom`, or a preset of section 15.6; cannot change");
const protocol = oneOf(SOCIAL_PROTOCOLS, { description: "OpenID Connect or OAuth 2.0; cannot change" });

const pointer = (example: string, description: string) =>
  Type.String({
    documented: { maxLength: SOCIAL_POINTER_MAX_CHARACTERS, format: "json-pointer" },
    description: `${description}; a JSON pointer into the claims`,
    examples: [example],
  });

const endpointUrl = (example: string, description: string) => nullable(url(example, description));

const settings = {
  name: Type.String({
    documented: { minLength: 1, maxLength: SOCIAL_NAME_MAX_CHARACTERS },
    description: "“Continue with …”",
    examples: ["GitLab"],
  }),
  enabled: Type.Boolean({ examples: [true] }),
  sign_up: Type.Boolean({ description: "false: the provider signs in and links only", examples: [true] }),
  issuer: endpointUrl("https://gitlab.com", "exact issuer; `oidc` requires one"),
  authorization_endpoint: endpointUrl("https://gitlab.com/oauth/authorize", "null: from discovery"),
  token_endpoint: endpointUrl("https://gitlab.com/oauth/token", "null: from discovery"),
  userinfo_endpoint: endpointUrl("https://gitlab.com/oauth/userinfo", "null: from discovery"),
  jwks_uri: endpointUrl("https://gitlab.com/oauth/discovery/keys", "null: from discovery"),
  client_id: nullable(
    Type.String({ documented: { minLength: 1, maxLength: PROVIDER_FIELD_MAX_CHARACTERS }, examples: ["acme-web"] }),
    { description: "required to enable the provider" },
  ),
  token_auth: oneOf(SOCIAL_TOKEN_AUTHS, { description: "client authentication; `none` needs PKCE" }),
  scopes: Type.Array(text("openid"), { documented: { maxItems: SOCIAL_SCOPES_MAX } }),
  authorization_parameters: Type.Record(Type.String(), Type.String(), {
    documented: { maxProperties: SOCIAL_PARAMETERS_MAX },
    description: "further parameters of the authorization request; none that the service sets",
    examples: [{ prompt: "select_account" }],
  }),
  pkce: oneOf(SOCIAL_PKCE_METHODS, { description: "`off` only for providers that refuse PKCE" }),
  nonce: Type.Boolean({ description: "false only for providers that refuse a nonce", examples: [true] }),
  response_mode: oneOf(SOCIAL_RESPONSE_MODES),
  claims_from: oneOf(SOCIAL_CLAIMS_SOURCES, { description: "`oauth2`: `userinfo`" }),
  subject_from: pointer("/sub", "the subject, a text of 1 to 255 characters or a safe integer"),
  email_from: pointer("/email", "the address"),
  email_verified_from: pointer("/email_verified", "whether the address is verified"),
  name_from: pointer("/name", "the name"),
  email_trust: oneOf(SOCIAL_EMAIL_TRUSTS, {
    description: "`claim`: verified if the claim is true; `always`: every address of `email_domains`; `never`",
  }),
  email_domains: Type.Array(text("example.com"), {
    documented: { maxItems: SOCIAL_EMAIL_DOMAINS_MAX },
    description: "exact domains; if not empty, an address outside of the list is never verified",
  }),
};

const secret = {
  secret: Type.Optional(
    Type.String({
      documented: {
        ...{ format: "password", minLength: PROVIDER_SECRET_MIN_CHARACTERS, maxLength: PROVIDER_SECRET_MAX_BYTES },
      },
      description: "absent or null keeps the stored secret; never returned",
      examples: ["a client secret"],
    }),
  ),
  clear_secret: Type.Optional(Type.Boolean({ description: "removes the stored secret", examples: [false] })),
};

export const SocialProviderItem = Type.Object(
  {
    provider: SocialProviderKey,
    preset,
    protocol,
    ...settings,
    secret_set: Type.Boolean({ description: "whether a secret is stored", examples: [true] }),
    key_id: nullable(text("9f86d081884c7d65", "identifies the key that sealed the secret")),
    redirect_uri: url("https://id.example.com/v1/auth/oauth/gitlab/callback", "for the registration at the provider"),
    identities: Type.Integer({
      description: "users with a linked identity",
      documented: { minimum: 0 },
      examples: [0],
    }),
    degraded: Type.Boolean({ description: "enabled, but cannot be applied", examples: [false] }),
    revision: Type.Integer({ description: "incremented by every change", documented: { minimum: 1 }, examples: [1] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "SocialProvider" },
);

export const SocialProviders = Type.Object({ items: Type.Array(SocialProviderItem) }, { $id: "SocialProviders" });

const optional = Type.Partial(Type.Object(settings)).properties;

export const CreateSocialProvider = Type.Object(
  {
    provider: SocialProviderKey,
    preset: Type.Optional(preset),
    protocol: Type.Optional(protocol),
    ...optional,
    ...secret,
  },
  { $id: "CreateSocialProvider" },
);

export const ChangeSocialProvider = Type.Object(
  {
    ...optional,
    ...secret,
    unlink_identities: Type.Optional(
      Type.Boolean({
        description: "ends the linked identities, which a change of issuer, UserInfo or subject needs",
        examples: [true],
      }),
    ),
  },
  { $id: "ChangeSocialProvider" },
);

export const DeleteSocialProviderQuery = Type.Object({
  confirm: Type.Optional(Type.Boolean({ description: "ends the linked identities", default: false })),
});

export const SocialProviderPresets = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          preset: text("gitlab"),
          name: text("GitLab"),
          protocol,
          defaults: Type.Partial(Type.Object(settings), { description: "the members that a request may leave out" }),
          notes: text("Applications of a user, a group or the instance", "what the registration needs"),
          guide: url("https://docs.gitlab.com/integration/oauth_provider/", "documentation of the provider"),
        },
        { $id: "SocialProviderPreset" },
      ),
    ),
  },
  { $id: "SocialProviderPresets" },
);

export const SocialProviderProbe = Type.Object(
  {
    ok: Type.Boolean({ examples: [true] }),
    detail: text("Every check passed.", "the first check that failed; safe to display"),
    checks: Type.Array(
      Type.Object({
        check: oneOf(["secret", "discovery", "issuer", "jwks", "endpoints"]),
        ok: Type.Boolean({ examples: [true] }),
        detail: text("The metadata were read.", "safe to display; contains no secret"),
      }),
    ),
  },
  { $id: "SocialProviderProbe" },
);

/** The settings that a request names. Members of a secret and confirmations are no settings. */
export function givenConfig(
  body: Static<typeof CreateSocialProvider> | Static<typeof ChangeSocialProvider>,
): GivenSocialConfig {
  const names = ["preset", "protocol", ...Object.keys(settings)];
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}
