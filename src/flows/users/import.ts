import type { Sql } from "../../database/database.ts";
import type { StoreDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { importedSlug } from "../../models/organization/slug.ts";
import { importedHashFlaw } from "../../models/password/hash-encoding.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { type ImportedUser, validateImportLine } from "../../models/user-import/import-line.ts";
import {
  advanceCheckpoint,
  type Checkpoint,
  correctImportedUsers,
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

/** The checkpoint after a batch, and what the operator must know about its lines. */
export interface ImportedBatch {
  readonly checkpoint: Checkpoint;
  readonly corrected: number;
  readonly withoutPassword: number;
  readonly disabled: number;
  /** Unknown members, and members whose value was left out, with the number of lines. */
  readonly unknown: ReadonlyMap<string, number>;
  readonly leftOut: ReadonlyMap<string, number>;
}

const ADDRESS_IN_USE = "email: a user with this address already exists";

/** A dry run ends its transaction with this value. */
class DryRun extends Error {
  readonly batch: ImportedBatch;

  constructor(batch: ImportedBatch) {
    super("dry run");
    this.batch = batch;
  }
}

/**
 * Command `users import`: one batch of lines, in one transaction with its checkpoint and its audit row, so an
 * interrupted import continues with the first line not yet imported. Throws when another import of the file is running.
 * `dryRun`: the transaction is rolled back, and only the report is written.
 */
export async function importUsers(deps: StoreDeps, batch: ImportBatch, dryRun = false): Promise<ImportedBatch> {
  const at = new Date(deps.clock.now());
  const rules = { normalizeEmail, hashFlaw: importedHashFlaw, now: at.getTime() };
  const read = batch.lines.map((line) => (line === undefined ? "too long" : validateImportLine(line, rules)));
  try {
    return await deps.database.transaction("users.import", async (sql) => {
      const imported = await importIn(deps, sql, batch, read, at);
      if (dryRun) throw new DryRun(imported);
      const { checkpoint: to } = imported;
      const advanced = await advanceCheckpoint(sql, batch.fingerprint, batch.from, to, batch.last, at);
      if (!advanced) throw new Error("another import of this file is running");
      return imported;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.batch;
    throw error;
  }
}

async function importIn(
  deps: StoreDeps,
  sql: Sql,
  batch: ImportBatch,
  read: readonly (ImportedUser | string | undefined)[],
  at: Date,
): Promise<ImportedBatch> {
  const { users, refused } = await prepare(deps, sql, batch, read);
  const all = [...users.values()];
  const inserted = await insertImportedUsers(sql, all, deps.config.defaultTier, at);
  const further = all.filter(({ userId }) => !inserted.has(userId));
  const corrected = await correctImportedUsers(sql, further, batch.fingerprint, at);
  const stored = all.filter(({ userId }) => inserted.has(userId) || corrected.has(userId));
  const kept = new Set(stored);
  for (const [line, user] of users) if (!kept.has(user)) refused.push({ line, reason: ADDRESS_IN_USE });
  refused.sort((a, b) => a.line - b.line);
  const text = refused.map((each) => `${JSON.stringify(each)}\n`).join("");
  const reportBytes = await batch.report(text, batch.from.reportBytes);
  await recordBatch(deps, sql, batch, { imported: stored.length, refused: refused.length }, at);
  return {
    checkpoint: {
      offset: batch.endOffset,
      line: batch.from.line + batch.lines.length,
      imported: batch.from.imported + stored.length,
      refused: batch.from.refused + refused.length,
      reportBytes: batch.from.reportBytes + reportBytes,
    },
    corrected: corrected.size,
    withoutPassword: stored.filter(({ passwordHash }) => passwordHash === null).length,
    disabled: stored.filter(({ disabled }) => disabled).length,
    unknown: countsOf(stored.map(({ unknown }) => unknown)),
    leftOut: countsOf(stored.map(({ leftOut }) => leftOut)),
  };
}

function countsOf(names: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
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
