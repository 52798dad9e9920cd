import type { LeftOutCertificate } from "../../base/certificate-text.ts";
import type { Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";

/** The outcome of the last reading of the metadata of an identity provider, for administrators. */
export interface MetadataReport {
  /** ISO 8601. */
  readonly readAt: string;
  /** Why the metadata could not be read, in English; null: the metadata were read. */
  readonly problem: string | null;
  /** The certificates that the connection does not use. */
  readonly leftOut: readonly LeftOutCertificate[];
}

export async function storeMetadataReport(sql: Sql, id: string, report: MetadataReport): Promise<void> {
  await sql`update sso_connections set metadata_report = ${json(sql, report)} where id = ${id}`;
}
