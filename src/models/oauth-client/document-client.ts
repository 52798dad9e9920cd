/** Clients that a metadata document identifies (docs/contract.md, section 23.30). */
import { createHash } from "node:crypto";
import { uuidOfHex } from "../../base/random.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { ClientDocument } from "./oauth-client.ts";
import { hasNoProtectingConsent } from "./protecting-consent.ts";

const UUID_BYTES = 16;

/**
 * The id of the row for a document. Derived from the address, so that a deleted and recreated row keeps the decisions
 * of policies that name the id. UUID version 8 (RFC 9562, section 5.8).
 */
export function idOfDocument(url: string): string {
  const bytes = createHash("sha256").update(`client document\n${url}`).digest().subarray(0, UUID_BYTES);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOfHex(bytes.toString("hex"));
}

/** Records the document of a client. */
export async function setDocument(sql: Sql, id: string, document: ClientDocument): Promise<void> {
  const { url, hash, fetchedAt, freshUntil } = document;
  await sql`
    update oauth_clients
    set external_id = ${url}, document_hash = ${hash}, fetched_at = ${fetchedAt}, fresh_until = ${freshUntil}
    where id = ${id}`;
}

/**
 * Deletes at most `batch` clients without a grant, and without a decision of an organization, whose document was
 * fetched before `before`, the oldest first; returns how many.
 */
export function deleteUnusedDocuments(sql: Sql, before: Date, batch: number): Promise<number> {
  return deleteDocuments(sql, sql`not exists (select 1 from oauth_grants g where g.client_id = c.id)`, before, batch);
}

/** Makes room as `deleteUnusedDocuments`, then by clients without a consent that protects the client. */
export async function displaceUnusedDocuments(sql: Sql, before: Date, batch: number): Promise<number> {
  const unused = await deleteUnusedDocuments(sql, before, batch);
  return unused > 0 ? unused : await deleteDocuments(sql, hasNoProtectingConsent(sql), before, batch);
}

async function deleteDocuments(sql: Sql, condition: Fragment, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from oauth_clients where id in (
      select c.id from oauth_clients c
      where c.kind = 'document' and c.fetched_at < ${before} and c.disabled_at is null and ${condition}
        and not exists (select 1 from organization_applications a where a.client_id = c.id)
      order by c.fetched_at limit ${batch} for update of c skip locked
    )`;
  return deleted.count;
}
