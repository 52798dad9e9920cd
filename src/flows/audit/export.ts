import type { ClientFacts } from "../../base/client-facts.ts";
import { EXPORT_DEADLINE_MS, EXPORT_RETRY_AFTER_SECONDS } from "../../base/limits.ts";
import { rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { openSpool, type Spool } from "../../base/spool.ts";
import type { Deps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { exportQuery } from "../../models/audit/audit-log.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import type { ExportCaller } from "../steps/authorize-audit-export.ts";
import { type Period, readPeriod } from "./period.ts";

export type ExportDeps = Pick<Deps, "config" | "database" | "clock" | "random" | "exporting" | "databaseUrl">;

export interface ExportInput {
  readonly caller: ExportCaller;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly client: ClientFacts;
}

export interface Exported {
  /** Belongs to whoever gets it: reading it to its end, or giving it up, closes it. */
  readonly spool: Spool;
  readonly bytes: number;
  /** `sha256=<hex>`. */
  readonly signature: string;
}

/**
 * GET /v1/admin/audit-export (contract, section 4.10): spooled whole, because its signature comes before it. Refuses
 * with `invalid_input`, and `rate_limited` beyond two exports at a time. Throws when the spool or the database fails;
 * nothing is left behind either way.
 */
export async function exportAudit(deps: ExportDeps, input: ExportInput): Promise<Result<Exported>> {
  const period = readPeriod(input.from, input.to);
  if (!period.ok) return period;
  const spool = openSpool(deps.config.spoolDirectory, deps.random.uuid());
  try {
    const exported = await fill(deps, spool, period.value);
    if (exported.ok) await record(deps, input, exported.value.count);
    else spool.close();
    return exported.ok ? ok({ spool, ...exported.value }) : exported;
  } catch (error) {
    spool.close();
    throw error;
  }
}

async function fill(deps: ExportDeps, spool: Spool, period: Period) {
  const answer = await deps.exporting.run({
    databaseUrl: deps.databaseUrl,
    query: exportQuery(period),
    key: deps.config.auditExport.key,
    fd: spool.fd,
    deadlineMs: EXPORT_DEADLINE_MS,
  });
  if (answer.ok) return ok({ count: answer.count, bytes: answer.bytes, signature: answer.signature });
  if (answer.code === "queue_full") return err(rateLimited(EXPORT_RETRY_AFTER_SECONDS, "two exports are running"));
  throw new Error(`audit export failed: ${answer.code}`);
}

async function record(deps: ExportDeps, { caller, client, from, to }: ExportInput, count: number): Promise<void> {
  const { session } = caller;
  const entry = userAuditEvent(deps, session, client, {
    action: "audit.exported",
    at: new Date(deps.clock.now()),
    resource: { type: "audit_export", id: session.organizationId },
    metadata: { count, from: from ?? "", to: to ?? "" },
  });
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
}
