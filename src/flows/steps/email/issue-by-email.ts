import type { Fragment, Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";
import { insertEmail, type SealedEmail } from "../../../models/email/email.ts";

/**
 * Queues a requested email and stores the code or token, in one statement. Beyond the limits of the address
 * (docs/contract.md, section 20.2) the statement writes no row, so that the previous code or token remains valid.
 * `store`: the CTE that stores the new code or token for the row of its `from`.
 */
export async function issueByEmail(
  deps: Pick<Deps, "database" | "telemetry">,
  statement: string,
  { mail, entry }: { readonly mail: SealedEmail; readonly entry: AuditEntry },
  store: (sql: Sql, from: Fragment) => Fragment,
): Promise<void> {
  const [issued] = await deps.database.run(statement, (sql) => {
    const from = sql`from email`;
    return sql<{ queued: boolean }[]>`
      with email as (${insertEmail(sql, mail)} returning id),
      issued as (${store(sql, from)}),
      audit as (${insertAudit(sql, entry, from)})
      select exists (select 1 from email) as queued`;
  });
  if (!issued?.queued) deps.telemetry.metrics.boundRefused("limit_mail");
}
