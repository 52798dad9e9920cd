import { Type } from "@sinclair/typebox";
import {
  OAUTH_RESOURCE_ORGANIZATIONS_MAX,
  OAUTH_RESOURCE_SCOPES_MAX,
  OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS,
  OAUTH_TOKEN_LIFETIME_MAX_SECONDS,
  OAUTH_TOKEN_LIFETIME_MIN_SECONDS,
} from "../../limits/oauth-limits.ts";
import { ACR_VALUES } from "../../vocabulary/assurance.ts";
import { type DescriptionLanguage, eachDescription } from "../../vocabulary/languages.ts";
import { PROVIDER_ALGORITHMS } from "../../vocabulary/provider-algorithm.ts";
import { RESOURCE_CLAIMS } from "../../vocabulary/resource-claim.ts";
import { ApiClaimMappings, NewApiClaimMappings } from "./claim-mappings.ts";
import { name, nullable, oneOf, Timestamp, text, Uuid, url } from "./common.ts";
import { ProductSetup, presetMembers } from "./product-presets.ts";

/** A language without an example does not compile. */
const DESCRIPTION_EXAMPLES: Readonly<Record<DescriptionLanguage, string>> = {
  en: "see your invoices",
  de: "Ihre Rechnungen einsehen",
  fr: "voir vos factures",
  es: "ver tus facturas",
  it: "vedere le tue fatture",
  pt: "ver suas faturas",
  nl: "je facturen bekijken",
  pl: "wyświetlać Twoje faktury",
  ja: "請求書の表示",
};

const description = (language: DescriptionLanguage) =>
  nullable(
    Type.String({
      documented: { minLength: 1, maxLength: OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS },
      examples: [DESCRIPTION_EXAMPLES[language]],
    }),
    { description: `a line for users, in the language \`${language}\`` },
  );

const scopeName = text("invoices:read", "as in the parameter `scope`; not a scope of this service");
const list = { documented: { maxItems: OAUTH_RESOURCE_SCOPES_MAX } };

const optionalDescriptions = eachDescription((language) => Type.Optional(description(language)));
const requiredDescriptions = { description_en: description("en"), description_de: description("de") };

const permission = Type.Optional(
  text("invoices.approve", "a permission of the API, which roles of organizations can contain: `area.action`"),
);

const isPublic = Type.Boolean({
  description: "clients that registered themselves may have the scope",
  examples: [false],
});
const sensitive = Type.Boolean({
  description: "every authorization asks for consent, and the scope comes first on the consent page",
  examples: [false],
});

const Scope = Type.Object({
  name: scopeName,
  permission,
  public: isPublic,
  sensitive,
  ...optionalDescriptions,
  ...requiredDescriptions,
});
const NewScope = Type.Object({
  name: scopeName,
  permission,
  public: Type.Optional(isPublic),
  sensitive: Type.Optional(sensitive),
  ...optionalDescriptions,
});

const identifier = url(
  "https://api.example.com/",
  "resource indicator (RFC 8707): https, or http on a loopback address; cannot change",
);
const disabled = Type.Boolean({
  description: "new authorizations for the API are `invalid_target`",
  examples: [false],
});
const signingAlg = oneOf(PROVIDER_ALGORITHMS, {
  description:
    "algorithm of access tokens for the API alone; tokens for several APIs with different algorithms have RS256",
});
const dpop = oneOf(["allowed", "required"], {
  description: "`required`: access tokens for the API are bound to a key of the application (RFC 9449)",
});
const tokenLifetime = nullable(
  Type.Integer({
    documented: { minimum: OAUTH_TOKEN_LIFETIME_MIN_SECONDS, maximum: OAUTH_TOKEN_LIFETIME_MAX_SECONDS },
    examples: [600],
  }),
  { description: "lifetime of access tokens for the API; null: the lifetime for sessions" },
);
const minAcr = nullable(oneOf(ACR_VALUES), {
  description: "the least assurance of the sign-in; `phr`: a passkey with user verification",
});
const claims = Type.Array(oneOf(RESOURCE_CLAIMS), {
  description: "further claims of access tokens for the API",
  documented: { maxItems: RESOURCE_CLAIMS.length, uniqueItems: true },
});
const openTo = oneOf(["registered", "any"], {
  description:
    "`any`: also applications that registered themselves or that a metadata document identifies, for public scopes",
});
const organizations = nullable(
  Type.Array(Uuid, { documented: { minItems: 1, maxItems: OAUTH_RESOURCE_ORGANIZATIONS_MAX } }),
  { description: "the only organizations whose members receive tokens for the API; null: every organization" },
);
const displayedName = name("Billing", "displayed name");

const optionalSettings = {
  signing_alg: Type.Optional(signingAlg),
  dpop: Type.Optional(dpop),
  token_lifetime_seconds: Type.Optional(tokenLifetime),
  min_acr: Type.Optional(minAcr),
  claims: Type.Optional(claims),
  claim_mappings: Type.Optional(NewApiClaimMappings),
  open_to: Type.Optional(openTo),
  organizations: Type.Optional(organizations),
  disabled: Type.Optional(disabled),
};

export const OAuthResourceItem = Type.Object(
  {
    id: Uuid,
    identifier,
    name: displayedName,
    scopes: Type.Array(Scope, { description: "the scopes of the API, with a description in each language", ...list }),
    signing_alg: signingAlg,
    dpop,
    token_lifetime_seconds: tokenLifetime,
    min_acr: minAcr,
    claims,
    claim_mappings: ApiClaimMappings,
    open_to: openTo,
    organizations,
    disabled,
    preset: nullable(text("hasura", "product preset of the registration; null: none")),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "OAuthResource" },
);

const newScopes = Type.Array(NewScope, { description: "absent descriptions are null", ...list });

export const CreateOAuthResource = Type.Object(
  {
    identifier,
    name: displayedName,
    scopes: Type.Optional(newScopes),
    ...optionalSettings,
  },
  { $id: "CreateOAuthResource" },
);

/** Registration: a preset gives what the request does not. */
export const RegisterOAuthResource = Type.Object(
  {
    identifier: Type.Optional(identifier),
    name: Type.Optional(displayedName),
    scopes: Type.Optional(newScopes),
    ...optionalSettings,
    ...presetMembers,
  },
  { $id: "RegisterOAuthResource" },
);

/** The registered API with the configuration of the product. */
export const RegisteredOAuthResource = Type.Object(
  { ...OAuthResourceItem.properties, setup: Type.Optional(ProductSetup) },
  { $id: "RegisteredOAuthResource" },
);

export const ChangeOAuthResource = Type.Object(
  {
    name: Type.Optional(displayedName),
    scopes: Type.Optional(newScopes),
    ...optionalSettings,
  },
  { $id: "ChangeOAuthResource" },
);
