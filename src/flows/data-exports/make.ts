/** The making of exports, outside of requests (docs/contract.md, section 30.5). */
import { NO_CLIENT } from "../../base/request-context.ts";
import { seal } from "../../base/seal.ts";
import type { Deps } from "../../deps.ts";
import {
  DATA_EXPORT_ATTEMPTS_MAX,
  DATA_EXPORT_LEASE_MS,
  DATA_EXPORT_LIFETIME_MS,
  DATA_EXPORT_MAX_BYTES,
  DATA_EXPORT_PART_BYTES,
  DATA_EXPORT_ROWS_BATCH,
  DATA_EXPORT_SESSIONS_MS,
} from "../../limits/deletion-limits.ts";
import {
  completeExport,
  deleteParts,
  failExport,
  insertPart,
  type LeasedExport,
  leaseDueExport,
  partIdentity,
} from "../../models/data-export/data-export.ts";
import {
  EXPORT_SECTIONS,
  type ExportedRecord,
  readExportedRecords,
  readExportedUser,
  readExportSection,
} from "../../models/data-export/user-data.ts";
import { insertEmail } from "../../models/email/email.ts";
import { findRecipient } from "../../models/user/user.ts";
import { type ComposeDeps, composeEmail } from "../steps/email/compose-email.ts";

export type MakeExportDeps = ComposeDeps &
  Pick<Deps, "database" | "clock" | "log"> & { readonly wakeOutbox: () => void };

/** The version of the document (docs/contract.md, section 30.5). */
const EXPORT_SCHEMA_VERSION = 1;
/** The end of the document, for which the bound of the document leaves room. */
const TAIL_BYTES = 64;
/** A list of one section has at most this number of rows. */
const SECTION_ROWS_MAX = 10_000;

/** Makes the due exports, one after another, until none is due or the replica stops. */
export async function makeDueExports(deps: MakeExportDeps, isStopped = () => false): Promise<void> {
  while (!isStopped()) {
    const now = deps.clock.now();
    const leased = await deps.database.run("data_export.lease", (sql) =>
      leaseDueExport(sql, new Date(now), new Date(now + DATA_EXPORT_LEASE_MS)),
    );
    if (!leased) return;
    await makeExport(deps, leased).catch(async (error) => {
      deps.log.warn({ err: error, export: leased.id, attempt: leased.attempts }, "export: an attempt failed");
      if (leased.attempts < DATA_EXPORT_ATTEMPTS_MAX) return;
      await deps.database.run("data_export.fail", (sql) => failExport(sql, leased, new Date(deps.clock.now())));
    });
  }
}

async function makeExport(deps: MakeExportDeps, leased: LeasedExport): Promise<void> {
  await deps.database.run("data_export.restart", (sql) => deleteParts(sql, leased));
  const bytes = await storeParts(deps, leased);
  if (bytes === undefined) return;
  const at = new Date(deps.clock.now());
  const completed = await deps.database.transaction("data_export.complete", async (sql) => {
    const to = await findRecipient(sql, leased.userId);
    if (!to) return false;
    const link = `${deps.config.urls.publicBaseUrl}/account/export`;
    const values = { link, hours: DATA_EXPORT_LIFETIME_MS / 3_600_000 };
    const mail = composeEmail(deps, {
      to,
      mail: { kind: "data_export", values },
      tenants: undefined,
      client: NO_CLIENT,
      at,
    });
    const expiresAt = new Date(at.getTime() + DATA_EXPORT_LIFETIME_MS);
    const [row] = await sql`
      with completed as (${completeExport(sql, leased, { bytes, at, expiresAt })}),
      email as (${insertEmail(sql, mail, sql`from completed`)})
      select id from completed`;
    return row !== undefined;
  });
  if (completed) deps.wakeOutbox();
}

/** Returns the size of the document; undefined once the lease has ended or the user is erased. */
async function storeParts(deps: MakeExportDeps, leased: LeasedExport): Promise<number | undefined> {
  let pending: Buffer[] = [];
  let [pendingBytes, bytes, part] = [0, 0, 0];
  const flush = async () => {
    const sealed = seal(deps.sealing, deps.random, partIdentity(leased.id, part), Buffer.concat(pending));
    const stored = await deps.database.run("data_export.store", (sql) => insertPart(sql, leased, part, sealed));
    [pending, pendingBytes] = [[], 0];
    part += 1;
    return stored;
  };
  for await (const piece of documentOf(deps, leased.userId)) {
    pending.push(piece);
    pendingBytes += piece.length;
    bytes += piece.length;
    if (pendingBytes >= DATA_EXPORT_PART_BYTES && !(await flush())) return undefined;
  }
  if (bytes === 0) return undefined;
  return pendingBytes === 0 || (await flush()) ? bytes : undefined;
}

/** The document in pieces, at most `DATA_EXPORT_MAX_BYTES`; empty for an erased user. */
async function* documentOf(deps: MakeExportDeps, userId: string): AsyncGenerator<Buffer> {
  const { database } = deps;
  const user = await database.run("data_export.read_user", (sql) => readExportedUser(sql, userId));
  if (!user) return;
  const now = deps.clock.now();
  const head = { schema_version: EXPORT_SCHEMA_VERSION, generated_at: new Date(now).toISOString(), user };
  let bytes = 0;
  const piece = (text: string) => {
    const encoded = Buffer.from(text);
    bytes += encoded.length;
    return encoded;
  };
  yield piece(JSON.stringify(head).slice(0, -1));
  const sessionsSince = new Date(now - DATA_EXPORT_SESSIONS_MS);
  for (const section of EXPORT_SECTIONS) {
    const query = { userId, sessionsSince, limit: SECTION_ROWS_MAX };
    const rows = await database.run("data_export.read_section", (sql) => readExportSection(sql, section, query));
    yield piece(`,"${section}":${JSON.stringify(rows)}`);
  }
  yield piece(`,"audit_records":[`);
  let isComplete = true;
  let separator = "";
  for await (const record of recordsOf(deps, userId)) {
    const text = `${separator}${JSON.stringify(record)}`;
    separator = ",";
    isComplete = bytes + Buffer.byteLength(text) + TAIL_BYTES <= DATA_EXPORT_MAX_BYTES;
    if (!isComplete) break;
    yield piece(text);
  }
  yield piece(`],"audit_records_complete":${isComplete}}`);
}

/** Audit records in batches, the newest first. */
async function* recordsOf({ database }: MakeExportDeps, userId: string): AsyncGenerator<unknown> {
  let before: string | null = null;
  for (;;) {
    const from: string | null = before;
    const rows: readonly ExportedRecord[] = await database.run("data_export.read_records", (sql) =>
      readExportedRecords(sql, userId, from, DATA_EXPORT_ROWS_BATCH),
    );
    for (const { record } of rows) yield record;
    const last = rows.at(-1);
    if (!last || rows.length < DATA_EXPORT_ROWS_BATCH) return;
    before = last.rowId;
  }
}
