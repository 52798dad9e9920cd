import { NO_CLIENT } from "../../base/client-facts.ts";
import type { Sql } from "../../base/database.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { importedSlug } from "../../models/organization/slug.ts";
import { importedHashFlaw } from "../../models/password/stored-hash.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { type ImportedUser, readImportLine } from "../../models/user-import/import-line.ts";
import {
  type Checkpoint,
  insertImportedUsers,
  moveCheckpoint,
  type NewImportedUser,
  organizationsBySlug,
} from "../../models/user-import/user-import.ts";

export type ImportDeps = Pick<Deps, "database" | "clock" | "random" | "config">;

export interface ImportBatch {
  readonly fingerprint: string;
  readonly from: Checkpoint;
  /** Lines after the checkpoint, in order; `undefined` for one that was too long to be read. */
  readonly lines: readonly (string | undefined)[];
  /** Where the last of them ends, in bytes of the file. */
  readonly endOffset: number;
  /** Whether the file ends there. */
  readonly last: boolean;
  /** Writes refused lines into the report, at this position of it: done again after a crash it changes nothing. */
  readonly report: (text: string, position: number) => Promise<number>;
}

interface Refused {
  readonly line: number;
  readonly reason: string;
}

const RULES = { normalizeEmail, hashFlaw: importedHashFlaw };
const TAKEN = "email: there is a user of this address already";

/**
 * Command `users import`: one batch of lines, in one transaction with its checkpoint and its audit row, so that an import that was cut
 * off goes on with the first line that is not done. Returns the new checkpoint. Throws when another import of the file is running.
 */
export async function importUsers(deps: ImportDeps, batch: ImportBatch): Promise<Checkpoint> {
  const read = batch.lines.map((text) => (text === undefined ? "too long" : readImportLine(text, RULES)));
  const at = new Date(deps.clock.now());
  return await deps.database.transaction("users.import", async (sql) => {
    const { users, refused } = await prepare(deps, sql, batch, read);
    const inserted = await insertImportedUsers(sql, [...users.values()], deps.config.defaultTier, at);
    for (const [line, user] of users) if (!inserted.has(user.userId)) refused.push({ line, reason: TAKEN });
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
    const moved = await moveCheckpoint(sql, batch.fingerprint, batch.from, to, batch.last, at);
    if (!moved) throw new Error("another import of this file is running");
    return to;
  });
}

/** Gives the users of a batch their ids and organizations; those whose organization does not exist are refused. */
async function prepare(deps: ImportDeps, sql: Sql, batch: ImportBatch, read: readonly (ImportedUser | string)[]) {
  const slugs = new Set(read.flatMap((each) => (typeof each === "string" ? [] : (each.organizationSlug ?? []))));
  const known = slugs.size === 0 ? new Map<string, string>() : await organizationsBySlug(sql, [...slugs]);
  const users = new Map<number, NewImportedUser>();
  const refused: Refused[] = [];
  for (const [index, each] of read.entries()) {
    const line = batch.from.line + index + 1;
    const outcome = typeof each === "string" ? each : persistBatch(deps, each, known);
    if (typeof outcome === "string") refused.push({ line, reason: outcome });
    else users.set(line, outcome);
  }
  return { users, refused };
}

function persistBatch(
  { random }: ImportDeps,
  user: ImportedUser,
  known: ReadonlyMap<string, string>,
): NewImportedUser | string {
  const userId = random.uuid();
  if (user.organizationSlug === null) {
    const name = user.displayName ?? user.email.slice(0, user.email.lastIndexOf("@")).slice(0, 120);
    const ownOrganization = { name, slug: importedSlug(name, random.bytes(6)) };
    return { ...user, userId, organizationId: random.uuid(), ownOrganization };
  }
  const organizationId = known.get(user.organizationSlug);
  if (organizationId === undefined) return "organization_slug: there is no such organization";
  return { ...user, userId, organizationId, ownOrganization: null };
}

async function recordBatch(
  { random }: ImportDeps,
  sql: Sql,
  { fingerprint, from }: ImportBatch,
  counts: { readonly imported: number; readonly refused: number },
  at: Date,
): Promise<void> {
  await insertAudit(
    sql,
    {
      eventId: random.uuid(),
      at,
      action: "users.imported",
      outcome: "success",
      organizationId: null,
      actorId: null,
      actorType: "system",
      resourceType: "user_import",
      resourceId: fingerprint,
      metadata: { after_line: from.line, ...counts },
      client: NO_CLIENT,
    },
    sql``,
  );
}
