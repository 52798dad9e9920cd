import { Type } from "@sinclair/typebox";
import { type DescriptionLanguage, eachDescription } from "../../base/languages.ts";
import { PROVIDER_ALGORITHMS } from "../../base/provider-algorithm.ts";
import { OAUTH_RESOURCE_SCOPES_MAX, OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS } from "../../limits/oauth-limits.ts";
import { name, nullable, oneOf, Timestamp, text, Uuid, url } from "./common.ts";

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

const Scope = Type.Object({ name: scopeName, permission, ...optionalDescriptions, ...requiredDescriptions });
const NewScope = Type.Object({ name: scopeName, permission, ...optionalDescriptions });

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
const displayedName = name("Billing", "displayed name");

export const OAuthResourceItem = Type.Object(
  {
    id: Uuid,
    identifier,
    name: displayedName,
    scopes: Type.Array(Scope, { description: "the scopes of the API, with a description in each language", ...list }),
    signing_alg: signingAlg,
    dpop,
    disabled,
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
    signing_alg: Type.Optional(signingAlg),
    dpop: Type.Optional(dpop),
    disabled: Type.Optional(disabled),
  },
  { $id: "CreateOAuthResource" },
);

export const ChangeOAuthResource = Type.Object(
  {
    name: Type.Optional(displayedName),
    scopes: Type.Optional(newScopes),
    signing_alg: Type.Optional(signingAlg),
    dpop: Type.Optional(dpop),
    disabled: Type.Optional(disabled),
  },
  { $id: "ChangeOAuthResource" },
);
