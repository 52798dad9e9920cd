/** Identity providers with instructions and with default names of claims. */
import type { OidcConfig } from "./oidc-config.ts";

/** Names of products, as displayed. `custom` is any other identity provider. */
export const PRESETS = {
  entra_id: { name: "Microsoft Entra ID", defaults: { subject_from: "oid" } },
  okta: { name: "Okta", defaults: {} },
  google_workspace: { name: "Google Workspace", defaults: {} },
  onelogin: { name: "OneLogin", defaults: {} },
  jumpcloud: { name: "JumpCloud", defaults: {} },
  ping: { name: "PingOne", defaults: {} },
  adfs: { name: "AD FS", defaults: { email_from: "upn" } },
  auth0: { name: "Auth0", defaults: {} },
  keycloak: { name: "Keycloak", defaults: {} },
  custom: { name: "OpenID Connect", defaults: {} },
} as const satisfies Record<string, { readonly name: string; readonly defaults: Partial<OidcConfig> }>;

export type Preset = keyof typeof PRESETS;

export const PRESET_KEYS = Object.keys(PRESETS) as readonly Preset[];
