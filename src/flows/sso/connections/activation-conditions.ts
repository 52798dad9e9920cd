/** What a connection needs before the activation (docs/contract.md, section 29.6). */
import { type DomainStatus, isHeldStatus } from "../../../models/organization-domain/organization-domain.ts";
import type { SsoConnection } from "../../../models/sso-connection/sso-connection.ts";
import { isCompleteConfig } from "../../../vocabulary/sso/protocol-config.ts";

/** In the order of the set-up. */
export const ACTIVATION_CONDITIONS = ["values", "credential", "domain", "test"] as const;
export type ActivationCondition = (typeof ACTIVATION_CONDITIONS)[number];

/** The conditions that a connection meets. `hasDomain`: the organization holds a domain. */
export function activationConditions(
  connection: SsoConnection,
  hasDomain: boolean,
): Readonly<Record<ActivationCondition, boolean>> {
  return {
    values: isCompleteConfig(connection),
    credential: !needsSecret(connection) || connection.sealedSecret !== null,
    domain: hasDomain,
    test: connection.testedAt !== null,
  };
}

/** A connection by SAML has its key from the start. */
export function needsSecret(connection: SsoConnection): boolean {
  return connection.protocol === "oidc" && connection.config.token_auth !== "private_key_jwt";
}

/** The conditions that a connection meets beside the displayed domains of its organization. */
export function displayedConditions(connection: SsoConnection, domains: readonly { readonly status: DomainStatus }[]) {
  return activationConditions(
    connection,
    domains.some(({ status }) => isHeldStatus(status)),
  );
}
