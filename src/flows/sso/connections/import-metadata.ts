import type { LeftOutCertificate } from "../../../base/certificate-text.ts";
import { invalidInput } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { SessionDeps } from "../../../deps.ts";
import { idpMetadataXml } from "../../../providers/saml/idp-metadata-text.ts";
import type { SamlConfig } from "../../../vocabulary/sso/saml-config.ts";
import type { LiftingDeps } from "../../steps/authorization/lifted-requirement.ts";
import type { ConnectionInput } from "./audit-connection.ts";
import { applySettings } from "./connection-change.ts";
import type { SsoConnectionDeps } from "./create.ts";
import { loadMetadata, type MetadataDeps, type MetadataSource } from "./load-metadata.ts";
import { type MetadataChange, metadataChanges, reportOf, settingsOfMetadata } from "./metadata-changes.ts";
import { type ConnectionView, readConnection } from "./read.ts";
import { updateConnectionSettings } from "./update.ts";

type ImportProblem = Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found" | "rate_limited">;

export interface MetadataImport extends ConnectionInput {
  readonly url: string | undefined;
  readonly xml: string | undefined;
  /** The entity of an aggregate; undefined: the entity of the connection, or the only entity. */
  readonly entityId: string | undefined;
  /** False: a preview. */
  readonly apply: boolean;
  readonly unlinkIdentities: boolean;
}

export interface ImportedMetadata {
  readonly changes: readonly MetadataChange[];
  readonly leftOut: readonly LeftOutCertificate[];
  /** Metadata with the parts that a connection uses, however long the document is. */
  readonly summary: string;
  readonly applied: boolean;
  readonly view: ConnectionView;
}

const NOT_SAML = refusal("conflict", "Only a connection by SAML has metadata of an identity provider.");

/** POST …/sso/connections/:id/metadata (docs/contract.md, section 29.33): previews or applies metadata. */
export async function importMetadata(
  deps: SsoConnectionDeps & SessionDeps & LiftingDeps & MetadataDeps,
  input: MetadataImport,
): Promise<Result<ImportedMetadata, ImportProblem>> {
  const found = await readConnection(deps, input);
  if (!found.ok) return found;
  const { connection } = found.value;
  if (connection.protocol !== "saml") return err(NOT_SAML);
  const source = sourceOf(input, connection.config);
  if (!source.ok) return source;
  const { organizationId } = input.caller;
  const entityId = input.entityId ?? connection.config.entity_id;
  const loaded = await loadWithFallback(deps, organizationId, source.value, entityId, input.entityId === undefined);
  if (!loaded.ok) return loaded;
  const settings = settingsOfMetadata(connection.config, loaded.value);
  // A preview has the problems of the change that follows.
  const applicable = applySettings(deps, connection.id, connection, { config: settings });
  if (!applicable.ok) return err(flawOfSource(source.value.field, applicable.error));
  const changes = metadataChanges(connection.config, settings);
  const summary = idpMetadataXml(loaded.value);
  const metadataReport = reportOf(loaded.value, new Date(deps.clock.now()));
  const { leftOut } = metadataReport;
  if (!input.apply) return ok({ changes, leftOut, summary, applied: false, view: found.value });
  const url = "url" in source.value ? { metadata_url: source.value.url } : {};
  const { caller, connectionId, client, unlinkIdentities } = input;
  const config = { ...settings, ...url };
  const changed = { config, metadataReport };
  const update = { caller, connectionId, client, unlinkIdentities, settings: changed, action: METADATA_CHANGED };
  const updated = await updateConnectionSettings(deps, update);
  return updated.ok ? ok({ changes, leftOut, summary, applied: true, view: updated.value }) : updated;
}

/** The problem of a value of the metadata, as a problem of the submitted source. */
function flawOfSource(field: string, { fields, message }: Refusal<"invalid_input">): Refusal<"invalid_input"> {
  return invalidInput(field, fields?.[0]?.rule ?? "format", message);
}

const METADATA_CHANGED = "sso.connection.metadata_changed" as const;

function sourceOf(
  { url, xml }: Pick<MetadataImport, "url" | "xml">,
  { metadata_url: stored }: SamlConfig,
): Result<MetadataSource, Refusal<"invalid_input">> {
  if (url !== undefined && xml !== undefined) return err(invalidInput("xml", "conflicting", "either url or xml"));
  if (xml !== undefined) return ok({ field: "xml", xml });
  const address = url ?? stored;
  return address === null
    ? err(invalidInput("url", "required", "url or xml is needed"))
    : ok({ field: "url", url: address });
}

/** An identity provider may have a new entity id: without a requested entity, the only entity counts. */
async function loadWithFallback(
  deps: MetadataDeps,
  organizationId: string,
  source: MetadataSource,
  entityId: string | null,
  mayDiffer: boolean,
) {
  const loaded = await loadMetadata(deps, { organizationId, source, entityId });
  if (loaded.ok || !mayDiffer || entityId === null || !("xml" in source)) return loaded;
  return await loadMetadata(deps, { organizationId, source, entityId: null });
}
