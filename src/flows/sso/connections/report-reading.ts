/** Reports about readings of metadata: for the page, and to the owners (docs/contract.md, section 29.38). */
import { createHash } from "node:crypto";
import type { LeftOutCertificate } from "../../../base/certificate-text.ts";
import { inertName } from "../../../base/display-name.ts";
import type { Refusal } from "../../../base/problem.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { SAML_METADATA_NOTICE_PAUSE_MS } from "../../../limits/saml-limits.ts";
import { noticeTime } from "../../../models/email/email.ts";
import type { METADATA_KINDS } from "../../../models/email/owner-email.ts";
import {
  claimExpiryWarning,
  forgetWarning,
  type NamedConnection,
  type RolledConnection,
} from "../../../models/sso-connection/certificate-rollover.ts";
import { storeMetadataReport } from "../../../models/sso-connection/metadata-report.ts";
import { findConnection } from "../../../models/sso-connection/sso-connection.ts";
import type { IdpMetadata } from "../../../pool/saml-protocol.ts";
import type { ComposeDeps } from "../../steps/email/compose-email.ts";
import { mailOwners } from "../../steps/email/mail-owners.ts";
import { reportOf } from "./metadata-changes.ts";
import { connectionPageUrl } from "./urls.ts";

type ReportDeps = ComposeDeps & Pick<Deps, "clock" | "database"> & { readonly outbox: Pick<Deps["outbox"], "wake"> };
type NoticeKind = Exclude<(typeof METADATA_KINDS)[number], "sso_certificates_changed">;

/** A key of the warnings of a connection, in the form of the fingerprint of a certificate. */
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const FAILED = hashOf("metadata were not read");

/** Stores the report of a failed reading. The owners learn of the first failed daily reading. */
export async function reportFailure(
  deps: ReportDeps,
  { id, organizationId }: RolledConnection,
  refusal: Refusal,
  reading: "daily" | "unknown_key",
): Promise<void> {
  // A full queue of the service is no problem of the metadata.
  if (refusal.code === "rate_limited") return;
  const at = new Date(deps.clock.now());
  await deps.database.transaction("sso_connection.report_metadata", async (sql) => {
    const connection = await findConnection(sql, organizationId, id);
    if (!connection) return;
    const leftOut = connection.metadataReport?.leftOut ?? [];
    await storeMetadataReport(sql, id, { readAt: at.toISOString(), problem: refusal.message, leftOut });
    if (reading === "daily") await notifyOnce(deps, sql, connection, { kind: "sso_metadata_failed", key: FAILED, at });
  });
  deps.outbox.wake();
}

/** Stores the report of a reading. The owners learn once of each certificate that the connection cannot use. */
export async function reportReading(
  deps: ReportDeps,
  sql: Sql,
  connection: NamedConnection,
  metadata: IdpMetadata,
): Promise<void> {
  const at = new Date(deps.clock.now());
  await storeMetadataReport(sql, connection.id, reportOf(metadata, at));
  await forgetWarning(sql, { connectionId: connection.id, sha256: FAILED }, before(at));
  const unusable = metadata.leftOut.filter(({ reason }) => reason !== "surplus");
  if (unusable.length === 0) return;
  const key = hashOf(unusable.map(keyOf).sort().join(" "));
  await notifyOnce(deps, sql, connection, { kind: "sso_certificates_left_out", key, at });
}

function keyOf({ reason, sha256 = "" }: LeftOutCertificate): string {
  return `${reason} ${sha256}`;
}

/** A failure that begins again within the pause is no new failure. */
function before(at: Date): Date {
  return new Date(at.getTime() - SAML_METADATA_NOTICE_PAUSE_MS);
}

async function notifyOnce(
  deps: ReportDeps,
  sql: Sql,
  { id, organizationId, name }: NamedConnection,
  { kind, key, at }: { readonly kind: NoticeKind; readonly key: string; readonly at: Date },
): Promise<void> {
  const isFirst = await claimExpiryWarning(sql, { connectionId: id, sha256: key }, { stage: new Date(0), at });
  if (!isFirst) return;
  const values = { connection: inertName(name), time: noticeTime(at), link: connectionPageUrl(deps, id) };
  await mailOwners(deps, sql, organizationId, { kind, values }, { at });
}
