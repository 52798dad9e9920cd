import { importPKCS8 } from "jose";
import type { Deps, SignInDeps } from "../../../deps.ts";
import { openClientSecret, openServiceKey } from "../../../models/sso-connection/connection-secret.ts";
import type { HeldMembers } from "../../../models/sso-connection/held-connection.ts";
import type { ClientCredential } from "../../../providers/sso/openid-options.ts";
import type { OpenidParty } from "../../../providers/sso/openid-party.ts";
import { type CompleteProtocolConfig, isCompleteConfig } from "../../../vocabulary/sso/protocol-config.ts";
import { connectionUrls } from "../connections/urls.ts";

export type SsoDeps = SignInDeps &
  Pick<Deps, "configKeys" | "fetchIdpMetadata" | "openidParties" | "samlPool" | "ssoDirectory">;

/** A connection with all settings of a request to the identity provider. */
export type UsableConnection = HeldMembers & CompleteProtocolConfig;
export type OidcConnection = Extract<UsableConnection, { readonly protocol: "oidc" }>;
export type SamlConnection = Extract<UsableConnection, { readonly protocol: "saml" }>;

/** A connection that signs users in: active, of an organization that is not suspended, with single sign-on enabled. */
export function findRoutable(
  { ssoDirectory }: Pick<Deps, "ssoDirectory">,
  connectionId: string,
): UsableConnection | undefined {
  const connection = findUsable({ ssoDirectory }, connectionId);
  return connection && isRoutable({ ssoDirectory }, connection) ? connection : undefined;
}

export function isRoutable(
  { ssoDirectory }: Pick<Deps, "ssoDirectory">,
  { status, organizationId }: UsableConnection,
): boolean {
  return status === "active" && ssoDirectory.policyOf(organizationId).mode !== "off";
}

/** A connection in any status with complete settings, of an organization that is not suspended. */
export function findUsable(
  { ssoDirectory }: Pick<Deps, "ssoDirectory">,
  connectionId: string,
): UsableConnection | undefined {
  const connection = ssoDirectory.find(connectionId);
  return connection && !connection.organization.suspended && isCompleteConfig(connection) ? connection : undefined;
}

/** The relying party of a connection. */
export function partyOf(
  deps: Pick<SsoDeps, "config" | "configKeys" | "openidParties">,
  connection: OidcConnection,
): OpenidParty {
  const { id: connectionId, revision, config } = connection;
  return deps.openidParties.find({ connectionId, revision }, () => ({
    issuer: config.issuer,
    clientId: config.client_id,
    // Different for each connection, against mix-up.
    redirectUri: connectionUrls(deps, connectionId).redirectUri,
    scope: config.scopes,
    extraParameters: config.extra_parameters,
    claimsFrom: config.claims_from,
    requiredClaims: [config.subject_from, config.email_from],
    clockSkewSeconds: config.clock_skew_seconds,
    credential: () => openCredential(deps, connection),
  }));
}

async function openCredential(
  { configKeys }: Pick<Deps, "configKeys">,
  connection: OidcConnection,
): Promise<ClientCredential> {
  if (connection.config.token_auth === "client_secret") {
    const secret = openClientSecret(configKeys, connection);
    if (secret === undefined) throw new Error("the connection has no readable client secret");
    return { kind: "secret", secret };
  }
  const current = connection.serviceKeys.find(({ status }) => status === "current");
  const pem = current && openServiceKey(configKeys, current);
  if (pem === undefined) throw new Error("the connection has no readable key");
  const { kid = "", alg = "RS256" } = current?.publicJwk ?? {};
  return { kind: "private_key", key: await importPKCS8(pem, alg), kid };
}
