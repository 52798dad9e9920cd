/** The protocol of a connection, with the settings of the protocol. */
import { type CompleteOidcConfig, DEFAULT_OIDC_CONFIG, type OidcConfig } from "./oidc-config.ts";
import { PRESETS, type Preset } from "./preset.ts";
import { type CompleteSamlConfig, DEFAULT_SAML_CONFIG, type SamlConfig } from "./saml-config.ts";

export const SSO_PROTOCOLS = ["oidc", "saml"] as const;
export type SsoProtocol = (typeof SSO_PROTOCOLS)[number];

export type ProtocolConfig =
  | { readonly protocol: "oidc"; readonly config: OidcConfig }
  | { readonly protocol: "saml"; readonly config: SamlConfig };

/** Settings with which the service can send a request to the identity provider. */
export type CompleteProtocolConfig =
  | { readonly protocol: "oidc"; readonly config: CompleteOidcConfig }
  | { readonly protocol: "saml"; readonly config: CompleteSamlConfig };

/** The settings of a new connection. */
export function initialConfig(protocol: SsoProtocol, preset: Preset): ProtocolConfig {
  const { oidc, saml } = PRESETS[preset];
  return protocol === "oidc"
    ? { protocol, config: { ...DEFAULT_OIDC_CONFIG, ...oidc } }
    : { protocol, config: { ...DEFAULT_SAML_CONFIG, ...saml } };
}

export function isCompleteConfig<Connection extends ProtocolConfig>(
  connection: Connection,
): connection is Connection & CompleteProtocolConfig {
  if (connection.protocol === "oidc") return connection.config.issuer !== null && connection.config.client_id !== null;
  const { entity_id: entityId, sso_url: ssoUrl, certificates } = connection.config;
  return entityId !== null && ssoUrl !== null && certificates.length > 0;
}

/** Whether the service needs a key of its own: to authenticate, to sign requests, or to decrypt assertions. */
export function needsServiceKey(connection: ProtocolConfig): boolean {
  if (connection.protocol === "oidc") return connection.config.token_auth === "private_key_jwt";
  return connection.config.sign_requests || connection.config.encrypted_assertions === "required";
}
