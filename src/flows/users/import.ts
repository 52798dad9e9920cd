import type { Sql } from "../../database/database.ts";
import type { StoreDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { importedSlug } from "../../models/organization/slug.ts";
import { importedHashFlaw } from "../../models/password/stored-hash.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { type ImportedUser, validateImportLine } from "../../models/user-import/import-line.ts";
import {
  advanceCheckpoint,
  type Checkpoint,
  insertImportedUsers,
  type NewImportedUser,
  organizationsBySlug,
} from "../../models/user-import/user-import.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";

export interface ImportBatch {
  readonly fingerprint: string;
  readonly from: Checkpoint;
  /**
   * Lines after the checkpoint, in order; `undefined` for a line beyond `IMPORT_LINE_MAX_BYTES`. Empty lines are
   * counted and skipped.
   */
  readonly lines: readonly (Buffer | undefined)[];
  /** End of the last line, as a byte offset in the file. */
  readonly endOffset: number;
  /** Whether this is the last batch of the file. */
  readonly last: boolean;
  /** Writes refused lines at a fixed position of the report, so a repetition after a crash writes identical bytes. */
  readonly report: (text: string, position: number) => Promise<number>;
}

interface RefusedLine {
  readonly line: number;
  readonly reason: string;
}

const RULES = { normalizeEmail, hashFlaw: importedHashFlaw };
const ADDRESS_IN_USE = "email: a user with this address already exists";

/**
 * Command `users import`: one batch of lines, in one transaction with its checkpoint and its audit row, so an
 * interrupted import continues with the first line not yet imported. Returns the new checkpoint. Throws when another
 * import of the file is running.
 */
export async function importUsers(deps: StoreDeps, batch: ImportBatch): Promise<Checkpoint> {
  const read = batch.lines.map((line) => {
    if (line === undefined) return "too long";
    return line.length === 0 ? undefined : validateImportLine(line, RULES);
  });
  const at = new Date(deps.clock.now());
  return await deps.database.transaction("users.import", async (sql) => {
    const { users, refused } = await prepare(deps, sql, batch, read);
    const inserted = await insertImportedUsers(sql, [...users.values()], deps.config.defaultTier, at);
    for (const [line, user] of users) if (!inserted.has(user.userId)) refused.push({ line, reason: ADDRESS_IN_USE });
    refused.sort((a, b) => a.line - b.line);
    const text = refused.map((each) => `${JSON.stringify(each)}\n`).join("");
    const reportBytes = await batch.report(text, batch.from.reportBytes);
    const to: Checkpoint = {
      offset: batch.endOffset,
      line: batch.from.line + batch.lines.length,
      imported: batch.from.imported + inserted.size,
      refused: batch.from.refused + refused.length,
      reportBytes: batch.from.reportBytes + reportBytes,
    };
    await recordBatch(deps, sql, batch, { imported: inserted.size, refused: refused.length }, at);
    const advanced = await advanceCheckpoint(sql, batch.fingerprint, batch.from, to, batch.last, at);
    if (!advanced) throw new Error("another import of this file is running");
    return to;
  });
}

/** Assigns ids and organizations to the users of a batch; refuses users whose organization does not exist. */
async function prepare(
  deps: StoreDeps,
  sql: Sql,
  batch: ImportBatch,
  read: readonly (ImportedUser | string | undefined)[],
) {
  const slugs = new Set(read.flatMap((each) => (typeof each === "object" ? (each.organizationSlug ?? []) : [])));
  const known = slugs.size === 0 ? new Map<string, string>() : await organizationsBySlug(sql, [...slugs]);
  const users = new Map<number, NewImportedUser>();
  const refused: RefusedLine[] = [];
  for (const [index, each] of read.entries()) {
    if (each === undefined) continue;
    const line = batch.from.line + index + 1;
    const outcome = typeof each === "string" ? each : await assignOrganization(deps, each, known);
    if (typeof outcome === "string") refused.push({ line, reason: outcome });
    else users.set(line, outcome);
  }
  return { users, refused };
}

async function assignOrganization(
  { random }: StoreDeps,
  user: ImportedUser,
  known: ReadonlyMap<string, string>,
): Promise<NewImportedUser | string> {
  const userId = random.uuid();
  if (user.organizationSlug === null) {
    const name = user.displayName ?? user.email.slice(0, user.email.lastIndexOf("@")).slice(0, 120);
    const ownOrganization = { name, slug: await importedSlug(name, random.bytes(6)) };
    return { ...user, userId, organizationId: random.uuid(), ownOrganization };
  }
  const organizationId = known.get(user.organizationSlug);
  if (organizationId === undefined) return "organization_slug: there is no such organization";
  return { ...user, userId, organizationId, ownOrganization: null };
}

async function recordBatch(
  deps: StoreDeps,
  sql: Sql,
  { fingerprint, from }: ImportBatch,
  counts: { readonly imported: number; readonly refused: number },
  at: Date,
): Promise<void> {
  const event = systemAuditEvent(deps, {
    action: "users.imported",
    at,
    resource: { type: "user_import", id: fingerprint },
    metadata: { after_line: from.line, ...counts },
  });
  await recordAudit(sql, event);
}
