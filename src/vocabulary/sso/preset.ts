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
  readonly oidc: Partial<OidcConfig>;
  readonly saml: Partial<SamlConfig>;
}

/** `signed_element: either`: the product signs the response and not the assertion unless configured otherwise. */
export const PRESETS = {
  entra_id: {
    name: "Microsoft Entra ID",
    oidc: { subject_from: "oid" },
    saml: {
      subject_from: `${MICROSOFT}/identity/claims/objectidentifier`,
      email_from: `${CLAIMS}/emailaddress`,
      first_name_from: `${CLAIMS}/givenname`,
      last_name_from: `${CLAIMS}/surname`,
      display_name_from: `${MICROSOFT}/identity/claims/displayname`,
    },
  },
  okta: { name: "Okta", oidc: {}, saml: PLAIN_ATTRIBUTES },
  google_workspace: {
    name: "Google Workspace",
    oidc: {},
    saml: { ...PLAIN_ATTRIBUTES, signed_element: "either" },
  },
  onelogin: { name: "OneLogin", oidc: {}, saml: { ...PLAIN_ATTRIBUTES, signed_element: "either" } },
  jumpcloud: {
    name: "JumpCloud",
    oidc: {},
    saml: { email_from: "email", first_name_from: "firstname", last_name_from: "lastname", signed_element: "either" },
  },
  ping: { name: "PingOne", oidc: {}, saml: { ...PLAIN_ATTRIBUTES, signed_element: "either" } },
  adfs: {
    name: "AD FS",
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
    oidc: {},
    saml: { email_from: `${CLAIMS}/emailaddress`, display_name_from: `${CLAIMS}/name` },
  },
  keycloak: {
    name: "Keycloak",
    oidc: {},
    saml: { ...PLAIN_ATTRIBUTES, signed_element: "either" },
  },
  custom: { name: "OpenID Connect", oidc: {}, saml: {} },
} as const satisfies Record<string, PresetDefaults>;

export type Preset = keyof typeof PRESETS;

export const PRESET_KEYS = Object.keys(PRESETS) as readonly Preset[];
