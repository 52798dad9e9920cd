import type { MetadataReport } from "../../../models/sso-connection/metadata-report.ts";
import type { IdpMetadata } from "../../../pool/saml-protocol.ts";
import type { SamlConfig } from "../../../vocabulary/sso/saml-config.ts";
import { describeCertificate } from "./certificates.ts";

/** The settings of a connection that metadata of an identity provider describe. */
export type IdpSettings = Pick<SamlConfig, "entity_id" | "sso_url" | "slo_url" | "request_binding" | "certificates">;

/** A pending change, for the preview. Certificates are displayed by fingerprint. */
export interface MetadataChange {
  readonly field: keyof IdpSettings;
  readonly from: string | readonly string[] | null;
  readonly to: string | readonly string[] | null;
}

/** The settings after the import. The connection keeps its binding where the identity provider supports the binding. */
export function settingsOfMetadata(current: IdpSettings, metadata: IdpMetadata): IdpSettings {
  const { redirectUrl, postUrl } = metadata;
  const isPost = postUrl !== null && (current.request_binding === "post" || redirectUrl === null);
  return {
    entity_id: metadata.entityId,
    sso_url: isPost ? postUrl : redirectUrl,
    // One binding for all messages of the service.
    slo_url: isPost ? metadata.logoutPostUrl : metadata.logoutRedirectUrl,
    request_binding: isPost ? "post" : "redirect",
    certificates: metadata.certificates.map(({ pem }) => pem),
  };
}

/** The report of a successful reading. */
export function reportOf({ leftOut }: IdpMetadata, at: Date): MetadataReport {
  return { readAt: at.toISOString(), problem: null, leftOut };
}

/** The fields that an import changes; empty: the connection has the settings of the metadata. */
export function metadataChanges(current: IdpSettings, next: IdpSettings): MetadataChange[] {
  const fields = ["entity_id", "sso_url", "slo_url", "request_binding"] as const;
  const changed = fields.filter((field) => current[field] !== next[field]);
  const changes: MetadataChange[] = changed.map((field) => ({ field, from: current[field], to: next[field] }));
  const [from, to] = [current, next].map(({ certificates }) =>
    certificates.map((pem) => describeCertificate(pem).sha256),
  );
  if (!from || !to || from.toSorted().join() === to.toSorted().join()) return changes;
  return [...changes, { field: "certificates", from, to }];
}
