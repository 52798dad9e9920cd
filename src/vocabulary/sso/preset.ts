/** Identity providers with instructions and with default names of claims and attributes. */
import type { OidcConfig } from "./oidc-config.ts";
import type { SamlConfig } from "./saml-config.ts";

const CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims";
const MICROSOFT = "http://schemas.microsoft.com";

/** Names of attributes that the instructions of most consoles ask for. */
const PLAIN_ATTRIBUTES = { email_from: "email", first_name_from: "firstName", last_name_from: "lastName" } as const;

interface PresetDefaults {
  /** The name of the product, as displayed. */
  readonly name: string;
  /** The protocol that the console of the product offers first for an application of a customer. */
  readonly recommended: "oidc" | "saml";
  readonly oidc: Partial<OidcConfig>;
  readonly saml: Partial<SamlConfig>;
}

/** `signed_element: either`: the product signs the response and not the assertion unless configured otherwise. */
export const PRESETS = {
  entra_id: {
    name: "Microsoft Entra ID",
    recommended: "saml",
    oidc: { subject_from: "oid" },
    saml: {
      subject_from: `${MICROSOFT}/identity/claims/objectidentifier`,
      email_from: `${CLAIMS}/emailaddress`,
      first_name_from: `${CLAIMS}/givenname`,
      last_name_from: `${CLAIMS}/surname`,
      display_name_from: `${MICROSOFT}/identity/claims/displayname`,
    },
  },
  okta: { name: "Okta", recommended: "saml", oidc: {}, saml: PLAIN_ATTRIBUTES },
  google_workspace: {
    name: "Google Workspace",
    recommended: "saml",
    oidc: {},
    saml: { ...PLAIN_ATTRIBUTES, signed_element: "either" },
  },
  onelogin: {
    name: "OneLogin",
    recommended: "saml",
    oidc: {},
    saml: { ...PLAIN_ATTRIBUTES, signed_element: "either" },
  },
  jumpcloud: {
    name: "JumpCloud",
    recommended: "saml",
    oidc: {},
    saml: { email_from: "email", first_name_from: "firstname", last_name_from: "lastname", signed_element: "either" },
  },
  ping: { name: "PingOne", recommended: "saml", oidc: {}, saml: { ...PLAIN_ATTRIBUTES, signed_element: "either" } },
  adfs: {
    name: "AD FS",
    recommended: "saml",
    oidc: { email_from: "upn" },
    saml: {
      email_from: `${CLAIMS}/emailaddress`,
      first_name_from: `${CLAIMS}/givenname`,
      last_name_from: `${CLAIMS}/surname`,
      display_name_from: `${CLAIMS}/name`,
    },
  },
  auth0: {
    name: "Auth0",
    recommended: "oidc",
    oidc: {},
    saml: { email_from: `${CLAIMS}/emailaddress`, display_name_from: `${CLAIMS}/name` },
  },
  keycloak: {
    name: "Keycloak",
    recommended: "oidc",
    oidc: {},
    saml: { ...PLAIN_ATTRIBUTES, signed_element: "either" },
  },
  custom: { name: "OpenID Connect", recommended: "oidc", oidc: {}, saml: {} },
} as const satisfies Record<string, PresetDefaults>;

export type Preset = keyof typeof PRESETS;

export const PRESET_KEYS = Object.keys(PRESETS) as readonly Preset[];
