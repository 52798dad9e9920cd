import { type Refusal, rateLimited } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { openSpool, type Spool } from "../../base/spool.ts";
import type { AuditDeps } from "../../deps.ts";
import { EXPORT_DEADLINE_MS, EXPORT_RETRY_AFTER_SECONDS } from "../../limits/audit-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { exportQuery, type LastLeaf } from "../../models/audit/export-query.ts";
import { readLog } from "../../models/transparency-log/transparency-log.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { ExportCaller } from "../steps/authorization/authorize-audit-export.ts";
import { type Period, validatePeriod } from "./period.ts";

export interface ExportInput {
  readonly caller: ExportCaller;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Whether to leave out records that are not yet leaves of the transparency log. */
  readonly provable: boolean;
  readonly client: RequestContext;
}

export interface Exported {
  /** Owned by the caller: reading the spool to its end closes the spool; otherwise the caller must close it. */
  readonly spool: Spool;
  readonly bytes: number;
  /** `sha256=<hex>`. */
  readonly signature: string;
  /** The size of the transparency log with all records of the export; undefined for an export without a proof. */
  readonly treeSize: number | undefined;
}

/**
 * GET /v1/admin/audit-export (docs/contract.md, section 17.4): spooled completely, because the signature is sent in a
 * header before the body. Throws when the spool or the database fails; the spool is closed in every case.
 */
export async function exportAudit(
  deps: AuditDeps,
  input: ExportInput,
): Promise<Result<Exported, Refusal<"invalid_input" | "rate_limited">>> {
  const period = validatePeriod(input.from, input.to);
  if (!period.ok) return period;
  const leaves = input.provable ? await readLeaves(deps) : undefined;
  const spool = openSpool(deps.config.spoolDirectory, deps.random.uuid());
  try {
    const exported = await fillSpool(deps, spool, input.caller, period.value, leaves?.last);
    if (exported.ok) await recordExport(deps, input, exported.value.count);
    else spool.close();
    return exported.ok ? ok({ spool, ...exported.value, treeSize: leaves?.size }) : exported;
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** Read before the export: a leaf at this time is committed, so the snapshot of the export has the record. */
async function readLeaves({ database }: AuditDeps): Promise<{ readonly size: number; readonly last: LastLeaf }> {
  const log = await database.run("transparency_log.read", readLog);
  if (!log) return { size: 0, last: { transactionId: "0", rowId: 0, restoredRowId: 0 } };
  return { size: log.size, last: { ...log.last, restoredRowId: log.restoredRowId } };
}

/**
 * The failure of a read replica does not fail the export: the primary comes next, and the worker empties the spool
 * first. A replica that lags may lack leaves, so an export with a proof is read from the primary.
 */
async function fillSpool(
  deps: AuditDeps,
  spool: Spool,
  { reader, only }: ExportCaller,
  period: Period,
  lastLeaf: LastLeaf | undefined,
) {
  let failure = "database_failed";
  const urls = await deps.reads.exportUrls(reader);
  for (const databaseUrl of lastLeaf ? urls.slice(-1) : urls) {
    const result = await deps.exporting.run({
      databaseUrl,
      query: exportQuery({ ...period, organizationId: only }, lastLeaf),
      key: deps.config.auditExport.key,
      fd: spool.fd,
      deadlineMs: EXPORT_DEADLINE_MS,
    });
    if (result.ok) return ok({ count: result.count, bytes: result.bytes, signature: result.signature });
    if (result.code === "queue_full") {
      return err(rateLimited("export_slots", EXPORT_RETRY_AFTER_SECONDS, "two exports are running"));
    }
    failure = result.code;
    if (failure !== "database_failed") break;
  }
  throw new Error(`audit export failed: ${failure}`);
}

async function recordExport(deps: AuditDeps, { caller, client, from, to }: ExportInput, count: number): Promise<void> {
  const { actor, home } = caller;
  const entry = userAuditEvent(deps, actor, client, {
    action: "audit.exported",
    at: new Date(deps.clock.now()),
    resource: { type: "audit_export", id: home },
    metadata: { count, from: from ?? "", to: to ?? "" },
  });
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}
