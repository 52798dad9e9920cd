/** Connections, attempts and policies as JSON (docs/contract.md, sections 29.6 to 29.9). */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../deps.ts";
import { describeCertificate } from "../../flows/sso/connections/certificates.ts";
import type { ConnectionSettings } from "../../flows/sso/connections/connection-change.ts";
import type { ImportedMetadata } from "../../flows/sso/connections/import-metadata.ts";
import type { ConnectionView } from "../../flows/sso/connections/read.ts";
import { connectionUrls } from "../../flows/sso/connections/urls.ts";
import type { PendingLink } from "../../flows/sso/links/read-link.ts";
import type { ConnectionTestView } from "../../flows/sso/tests/read.ts";
import type { SsoAttempt } from "../../models/sso-connection/attempt.ts";
import type { MetadataReport } from "../../models/sso-connection/metadata-report.ts";
import type { IdentityListItem } from "../../models/sso-identity/identity-list.ts";
import type { Coverage } from "../../models/sso-policy/enforcement.ts";
import type { SsoPolicy } from "../../models/sso-policy/sso-policy.ts";
import type { ProtocolConfig } from "../../vocabulary/sso/protocol-config.ts";
import type { UpdateConnectionBody } from "../schemas/sso-connections.ts";

/** The settings of a body: members beside the settings have their own places. */
export function settingsOf({
  client_secret: clientSecret,
  metadata_xml: metadataXml,
  ...config
}: Omit<Static<typeof UpdateConnectionBody>, "name" | "preset" | "unlink_identities">): Omit<
  ConnectionSettings,
  "name" | "preset"
> {
  return { clientSecret, metadataXml, config };
}

/** A secret is never a member. */
export function connectionBody(deps: Pick<Deps, "config">, { connection, serviceKeys }: ConnectionView) {
  const urls = connectionUrls(deps, connection.id);
  return {
    id: connection.id,
    organization_id: connection.organizationId,
    protocol: connection.protocol,
    name: connection.name,
    preset: connection.preset,
    status: connection.status,
    ...settingsBody(connection),
    secret_set: connection.sealedSecret !== null,
    ...(connection.protocol === "oidc"
      ? {
          redirect_uri: urls.redirectUri,
          backchannel_logout_uri: urls.backchannelLogoutUri,
          jwks_uri: urls.jwksUri,
        }
      : {
          acs_url: urls.acsUrl,
          sp_slo_url: urls.sloUrl,
          sp_entity_id: urls.spEntityId,
          certificate_details: connection.config.certificates.map(certificateBody),
          metadata_report: connection.metadataReport && metadataReportBody(connection.metadataReport),
        }),
    initiate_login_uri: urls.initiateLoginUri,
    service_keys: serviceKeys.map(({ publicJwk, status, createdAt }) => ({
      kid: publicJwk.kid ?? "",
      status,
      created_at: createdAt.toISOString(),
    })),
    tested_at: timeOf(connection.testedAt),
    last_test_at: timeOf(connection.lastTestAt),
    last_success_at: timeOf(connection.lastSuccessAt),
    activated_by: connection.activatedBy,
    created_by: connection.createdBy,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  };
}

/** Lists are copied: a schema has mutable lists. */
function settingsBody(connection: ProtocolConfig) {
  const { attributes, mfa_trust: trust } = connection.config;
  const mapping = {
    attributes: attributes.map((mapping) => ({ ...mapping })),
    mfa_trust: typeof trust === "string" ? trust : [...trust],
  };
  if (connection.protocol === "saml") {
    return { ...connection.config, ...mapping, certificates: [...connection.config.certificates] };
  }
  const { id_jag: idJag } = connection.config;
  return { ...connection.config, ...mapping, id_jag: typeof idJag === "string" ? idJag : [...idJag] };
}

function metadataReportBody({ readAt, problem, leftOut }: MetadataReport) {
  return { read_at: readAt, problem, left_out: leftOut.map((each) => ({ ...each })) };
}

function certificateBody(pem: string) {
  const { sha256, notAfter } = describeCertificate(pem);
  return { sha256, not_after: notAfter.toISOString() };
}

export function metadataImportBody(deps: Pick<Deps, "config">, { changes, leftOut, applied, view }: ImportedMetadata) {
  return {
    changes: changes.map((change) => ({ ...change })),
    left_out: leftOut.map((each) => ({ ...each })),
    applied,
    connection: connectionBody(deps, view),
  };
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

export function attemptBody(attempt: SsoAttempt) {
  return {
    at: attempt.at.toISOString(),
    outcome: attempt.outcome,
    reason: attempt.reason,
    step: attempt.step,
    email: attempt.email,
    request_id: attempt.requestId,
    user_id: attempt.userId,
    ...(attempt.warning === null ? {} : { warning: attempt.warning }),
  };
}

/** Lists are copied: a schema has mutable lists. */
export function connectionTestBody({ id, userId, succeeded, isCurrent, result }: ConnectionTestView) {
  const { at, checks, claims, mapping, effect } = result;
  return {
    id,
    at,
    user_id: userId,
    succeeded,
    current: isCurrent,
    checks: checks.map((check) => ({ ...check })),
    claims: claims.map((claim) => ({ ...claim })),
    mapping: mapping && { ...mapping, groups: [...mapping.groups], attributes: { ...mapping.attributes } },
    effect: effect && { ...effect },
  };
}

export function ssoIdentityBody(identity: IdentityListItem) {
  return {
    id: identity.id,
    connection_id: identity.connectionId,
    user_id: identity.userId,
    email: identity.email,
    subject: identity.subject,
    linked_by: identity.linkedBy,
    created_at: identity.createdAt.toISOString(),
    last_used_at: identity.lastUsedAt.toISOString(),
  };
}

export function policyBody(policy: SsoPolicy) {
  return {
    mode: policy.mode,
    required_at: timeOf(policy.requiredAt),
    paused_until: timeOf(policy.pausedUntil),
    guests: policy.guests,
    break_glass: [...policy.breakGlass],
    jit: policy.jit,
    default_role: policy.defaultRole,
    role_rules: policy.roleRules.map((rule) => ({ ...rule })),
    sync: policy.sync,
    require_own_factor: policy.requireOwnFactor,
    updated_at: timeOf(policy.updatedAt),
  };
}

export function pendingLinkBody(link: PendingLink) {
  return {
    id: link.id,
    connection_id: link.connectionId,
    connection_name: link.connectionName,
    organization_id: link.organizationId,
    organization_name: link.organizationName,
    subject: link.subject,
    email: link.email,
    redirect_to: link.redirectTo,
    expires_at: link.expiresAt.toISOString(),
  };
}

export function coverageBody({ covered, withoutIdentity, members }: Coverage) {
  return {
    covered,
    without_identity: withoutIdentity,
    members: members.map(({ userId, email }) => ({ user_id: userId, email })),
  };
}
