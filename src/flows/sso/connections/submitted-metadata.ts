import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { chooseCertificates } from "./certificates.ts";
import type { ConnectionSettings, EditableState } from "./connection-change.ts";
import { loadMetadata, type MetadataDeps, type MetadataSource } from "./load-metadata.ts";
import { reportOf, settingsOfMetadata } from "./metadata-changes.ts";

/**
 * The settings of a submitted change with the settings of submitted metadata; submitted settings win. Of submitted
 * certificates the usable certificates remain, and the report names the certificates that were left out.
 */
export async function withMetadata<Settings extends ConnectionSettings>(
  deps: MetadataDeps,
  organizationId: string,
  before: EditableState,
  settings: Settings,
): Promise<Result<Settings, Refusal<"invalid_input" | "rate_limited">>> {
  const read = await withReadMetadata(deps, organizationId, before, settings);
  return read.ok ? ok(withUsableCertificates(read.value, settings, new Date(deps.clock.now()))) : read;
}

function withUsableCertificates<Settings extends ConnectionSettings>(
  read: Settings,
  { config: { certificates } }: ConnectionSettings,
  at: Date,
): Settings {
  const chosen = certificates && chooseCertificates(certificates);
  if (!chosen || chosen.leftOut.length === 0) return read;
  const metadataReport = { readAt: at.toISOString(), problem: null, leftOut: chosen.leftOut };
  return { ...read, metadataReport, config: { ...read.config, certificates: chosen.certificates } };
}

async function withReadMetadata<Settings extends ConnectionSettings>(
  deps: MetadataDeps,
  organizationId: string,
  before: EditableState,
  settings: Settings,
): Promise<Result<Settings, Refusal<"invalid_input" | "rate_limited">>> {
  const { metadataXml: xml, config } = settings;
  if (before.protocol !== "saml") {
    return xml === undefined
      ? ok(settings)
      : err(invalidInput("metadata_xml", "not_allowed", "needs the protocol saml"));
  }
  const url = config.metadata_url ?? null;
  const isDescribed = config.entity_id && config.sso_url && config.certificates;
  const isNewUrl = url !== null && url !== before.config.metadata_url && !isDescribed;
  if (xml === undefined && !isNewUrl) return ok(settings);
  const source: MetadataSource =
    xml === undefined ? { field: "metadata_url", url: url ?? "" } : { field: "metadata_xml", xml };
  const loaded = await loadMetadata(deps, { organizationId, source, entityId: config.entity_id ?? null });
  if (!loaded.ok) return loaded;
  const binding = config.request_binding ?? before.config.request_binding;
  const read = settingsOfMetadata({ ...before.config, request_binding: binding }, loaded.value);
  const submitted = Object.entries(config).filter(([, value]) => value !== undefined);
  const metadataReport = reportOf(loaded.value, new Date(deps.clock.now()));
  return ok({ ...settings, metadataReport, config: { ...read, ...Object.fromEntries(submitted) } });
}
