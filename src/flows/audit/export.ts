import type { ClientFacts } from "../../base/client-facts.ts";
import { EXPORT_DEADLINE_MS, EXPORT_RETRY_AFTER_SECONDS } from "../../base/limits.ts";
import { type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { openSpool, type Spool } from "../../base/spool.ts";
import type { Deps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { exportQuery } from "../../models/audit/audit-log.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import type { ExportCaller } from "../steps/authorize-audit-export.ts";
import { type Period, validatePeriod } from "./period.ts";

export type ExportDeps = Pick<Deps, "config" | "database" | "clock" | "random" | "exporting" | "reads">;

export interface ExportInput {
  readonly caller: ExportCaller;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly client: ClientFacts;
}

export interface Exported {
  /** Owned by the caller: reading it to its end closes it; otherwise the caller must close it. */
  readonly spool: Spool;
  readonly bytes: number;
  /** `sha256=<hex>`. */
  readonly signature: string;
}

/**
 * GET /v1/admin/audit-export (docs/contract.md, section 17.4): spooled completely, because the signature is sent in a
 * header before the body. Refuses with `invalid_input`, `rate_limited` beyond `EXPORTS_MAX`. Throws when the spool or
 * the database fails; the spool is closed in every case.
 */
export async function exportAudit(
  deps: ExportDeps,
  input: ExportInput,
): Promise<Result<Exported, Refusal<"invalid_input" | "rate_limited">>> {
  const period = validatePeriod(input.from, input.to);
  if (!period.ok) return period;
  const spool = openSpool(deps.config.spoolDirectory, deps.random.uuid());
  try {
    const exported = await fillSpool(deps, spool, input.caller, period.value);
    if (exported.ok) await recordExport(deps, input, exported.value.count);
    else spool.close();
    return exported.ok ? ok({ spool, ...exported.value }) : exported;
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** A read replica that failed is no reason to fail: the primary comes next, and the worker empties the spool first. */
async function fillSpool(deps: ExportDeps, spool: Spool, { session }: ExportCaller, period: Period) {
  let failure = "database_failed";
  for (const databaseUrl of await deps.reads.exportUrls(session)) {
    const result = await deps.exporting.run({
      databaseUrl,
      query: exportQuery(period),
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

async function recordExport(deps: ExportDeps, { caller, client, from, to }: ExportInput, count: number): Promise<void> {
  const { session } = caller;
  const entry = userAuditEvent(deps, session, client, {
    action: "audit.exported",
    at: new Date(deps.clock.now()),
    resource: { type: "audit_export", id: session.organizationId },
    metadata: { count, from: from ?? "", to: to ?? "" },
  });
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}
