import { inertName } from "../../../base/display-name.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { IDENTITY_CALL_DEADLINE_MS } from "../../../limits/provider-limits.ts";
import {
  SAML_CERTIFICATES_MAX,
  SAML_METADATA_BATCH,
  SAML_METADATA_FETCH_PAUSE_MS,
  SAML_METADATA_FETCH_RETRY_MS,
  SAML_METADATA_INTERVAL_MS,
  SAML_METADATA_RETRY_MS,
  SAML_METADATA_WAIT_STEP_MS,
} from "../../../limits/saml-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { noticeTime } from "../../../models/email/email.ts";
import {
  claimDueMetadata,
  claimMetadataFetch,
  findAbsentCertificates,
  findFetchedCertificates,
  postponeMetadata,
  postponeMetadataFetch,
  type RolledConnection,
  storeAbsentCertificates,
} from "../../../models/sso-connection/certificate-rollover.ts";
import { findConnection, lockConnection, updateConnection } from "../../../models/sso-connection/sso-connection.ts";
import type { IdpMetadata, SamlCertificate } from "../../../pool/saml-protocol.ts";
import { systemAuditEvent } from "../../steps/audit/system-audit-event.ts";
import type { ComposeDeps } from "../../steps/email/compose-email.ts";
import { mailOwners } from "../../steps/email/mail-owners.ts";
import { attempt } from "./attempt-work.ts";
import { describeCertificate } from "./certificates.ts";
import { loadMetadata, type MetadataDeps } from "./load-metadata.ts";
import { reportFailure, reportReading } from "./report-reading.ts";
import { connectionPageUrl } from "./urls.ts";

export type RolloverDeps = MetadataDeps &
  ComposeDeps &
  Pick<Deps, "clock" | "database" | "log"> & {
    readonly ssoDirectory: Pick<Deps["ssoDirectory"], "changed">;
    readonly outbox: Pick<Deps["outbox"], "wake">;
  };

/** `daily`: counts absent certificates too. `unknown_key`: adds certificates only. */
type Reading = "daily" | "unknown_key";

/**
 * Reads the metadata of connections once a day (docs/contract.md, section 29.38): new certificates count at once,
 * certificates that two daily readings lack are removed. Returns the number of readings.
 */
export async function rollDueCertificates(deps: RolloverDeps, isStopped = () => false): Promise<number> {
  const at = deps.clock.now();
  const due = await deps.database.run("sso_connection.claim_metadata", (sql) =>
    claimDueMetadata(sql, new Date(at - SAML_METADATA_INTERVAL_MS), new Date(at), SAML_METADATA_BATCH),
  );
  // The claim of the batch leaves a connection without its reading until the next day.
  for (const connection of due) {
    const read = isStopped()
      ? undefined
      : await attempt(deps, connection, () => readCertificates(deps, connection, "daily"));
    if (read) continue;
    const checkedAt = new Date(at - SAML_METADATA_INTERVAL_MS + SAML_METADATA_RETRY_MS);
    await attempt(deps, connection, () =>
      deps.database.run("sso_connection.postpone_metadata", (sql) => postponeMetadata(sql, connection.id, checkedAt)),
    );
  }
  return due.length;
}

/**
 * Reads the metadata after a response by an unknown key, at most once in `SAML_METADATA_FETCH_PAUSE_MS`; a failed
 * reading is repeated sooner. Responses during a reading wait for its result, on every replica. Returns the
 * certificates; undefined without a certificate beside the known certificates.
 */
export async function learnCertificates(
  deps: RolloverDeps,
  connection: RolledConnection,
  known: readonly string[],
): Promise<readonly string[] | undefined> {
  const at = deps.clock.now();
  const before = new Date(at - SAML_METADATA_FETCH_PAUSE_MS);
  const isClaimed = await deps.database.run("sso_connection.claim_fetch", (sql) =>
    claimMetadataFetch(sql, connection.id, before, new Date(at)),
  );
  if (!isClaimed) return await awaitCertificates(deps, connection, known);
  // Once more at once: after a single failed connection, no sign-in by the new key would succeed for a minute.
  const read =
    (await readCertificates(deps, connection, "unknown_key")) ??
    (await readCertificates(deps, connection, "unknown_key"));
  if (read) return unknownAmong(read.certificates, known);
  const fetchedAt = new Date(at - SAML_METADATA_FETCH_PAUSE_MS + SAML_METADATA_FETCH_RETRY_MS);
  await deps.database.run("sso_connection.postpone_fetch", (sql) =>
    postponeMetadataFetch(sql, connection.id, fetchedAt),
  );
  return undefined;
}

/** Waits while a fetch may be under way. */
async function awaitCertificates(
  deps: Pick<RolloverDeps, "clock" | "database" | "log">,
  { id }: RolledConnection,
  known: readonly string[],
): Promise<readonly string[] | undefined> {
  for (;;) {
    const stored = await deps.database.run("sso_connection.find_fetched", (sql) => findFetchedCertificates(sql, id));
    const found = stored && unknownAmong(stored.certificates, known);
    if (found) return found;
    const endsAt = (stored?.fetchedAt?.getTime() ?? 0) + IDENTITY_CALL_DEADLINE_MS;
    if (endsAt <= deps.clock.now()) {
      const details = { connection_id: id, fetched_at: stored?.fetchedAt };
      deps.log.info(details, "unknown key: the pause since the last fetch of the metadata has not ended");
      return undefined;
    }
    await deps.clock.sleep(SAML_METADATA_WAIT_STEP_MS);
  }
}

const unknownAmong = (certificates: readonly string[], known: readonly string[]) =>
  certificates.some((each) => !known.includes(each)) ? certificates : undefined;

interface Rollover {
  readonly certificates: readonly string[];
  readonly isChanged: boolean;
}

/** Undefined: the metadata were not read. An entity id other than the stored entity id changes nothing. */
async function readCertificates(
  deps: RolloverDeps,
  { id, organizationId }: RolledConnection,
  reading: Reading,
): Promise<Rollover | undefined> {
  const stored = await deps.database.run("sso_connection.find", (sql) => findConnection(sql, organizationId, id));
  const config = stored?.protocol === "saml" ? stored.config : undefined;
  if (!config?.metadata_url || config.entity_id === null) return undefined;
  const source = { field: "metadata_url", url: config.metadata_url };
  const loaded = await loadMetadata(deps, { organizationId, source, entityId: config.entity_id });
  if (!loaded.ok) {
    const details = { connection_id: id, organization_id: organizationId, reading, cause: loaded.error.message };
    deps.log.warn(details, "the metadata of an identity provider were not read; a later reading follows");
    await reportFailure(deps, { id, organizationId }, loaded.error, reading);
    return undefined;
  }
  const metadata = { ...loaded.value, reading };
  const rollover = await deps.database.transaction("sso_connection.roll_certificates", (sql) =>
    persist(deps, sql, { id, organizationId }, metadata),
  );
  deps.outbox.wake();
  if (rollover?.isChanged) await deps.ssoDirectory.changed();
  return rollover;
}

type ReadMetadata = IdpMetadata & { readonly reading: Reading };

async function persist(
  deps: RolloverDeps,
  sql: Sql,
  { id, organizationId }: RolledConnection,
  metadata: ReadMetadata,
): Promise<Rollover | undefined> {
  const { certificates: found, reading } = metadata;
  const connection = await lockConnection(sql, organizationId, id);
  if (connection?.protocol !== "saml" || connection.config.entity_id !== metadata.entityId) return undefined;
  await reportReading(deps, sql, connection, metadata);
  const absentBefore = reading === "daily" ? await findAbsentCertificates(sql, id) : [];
  const next = nextCertificates(connection.config.certificates, found, absentBefore);
  if (reading === "daily") await storeAbsentCertificates(sql, id, next.absent);
  const { certificates, added, removed } = next;
  const isChanged = added > 0 || removed > 0;
  if (!isChanged) return { certificates, isChanged };
  const at = new Date(deps.clock.now());
  await updateConnection(sql, id, { ...connection, config: { ...connection.config, certificates } }, at);
  const changed = { fields: "certificates", added, removed };
  const event = { action: "sso.connection.metadata_changed", at, organizationId, metadata: changed } as const;
  await recordAudit(sql, systemAuditEvent(deps, { ...event, resource: { type: "sso_connection", id } }));
  const values = {
    connection: inertName(connection.name),
    time: noticeTime(at),
    link: connectionPageUrl(deps, id),
  };
  await mailOwners(deps, sql, organizationId, { kind: "sso_certificates_changed", values }, { at });
  return { certificates, isChanged };
}

interface NextCertificates {
  readonly certificates: readonly string[];
  readonly added: number;
  readonly removed: number;
  /** Fingerprints of the pinned certificates that the metadata lack. */
  readonly absent: readonly string[];
}

/** Pinned certificates keep their order; beyond the bound, certificates that the metadata lack give way. */
export function nextCertificates(
  pinned: readonly string[],
  found: readonly SamlCertificate[],
  absentBefore: readonly string[],
): NextCertificates {
  const present = new Set(found.map(({ sha256 }) => sha256));
  const known = pinned.map((pem) => ({ pem, sha256: describeCertificate(pem).sha256 }));
  const pinnedHashes = new Set(known.map(({ sha256 }) => sha256));
  const added = found.filter(({ sha256 }) => !pinnedHashes.has(sha256));
  const once = known.filter(({ sha256 }) => !present.has(sha256) && !absentBefore.includes(sha256));
  const listed = known.filter(({ sha256 }) => present.has(sha256));
  const places = SAML_CERTIFICATES_MAX - listed.length - added.length;
  const spared = new Set(places > 0 ? once.slice(-places) : []);
  const kept = known.filter((each) => present.has(each.sha256) || spared.has(each));
  return {
    certificates: [...kept, ...added].map(({ pem }) => pem),
    added: added.length,
    removed: known.length - kept.length,
    absent: [...spared].map(({ sha256 }) => sha256),
  };
}
