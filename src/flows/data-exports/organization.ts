import type { RequestContext } from "../../base/request-context.ts";
import { pagesById } from "../../database/pages-by-id.ts";
import type { Deps } from "../../deps.ts";
import { DATA_EXPORT_ROWS_BATCH } from "../../limits/deletion-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import {
  ORGANIZATION_DATA_KINDS,
  type OrganizationDataRow,
  readOrganizationRow,
  readOrganizationRows,
} from "../../models/organization/organization-data.ts";
import { type Actor, userAuditEvent } from "../steps/audit/audit-event.ts";

export interface OrganizationExport {
  readonly organizationId: string;
  /** An owner of the organization, or a platform administrator. */
  readonly actor: Actor;
  readonly client: RequestContext;
}

type ExportDeps = Pick<Deps, "database" | "clock" | "random">;

/**
 * GET /v1/orgs/:org_id/export (docs/contract.md, section 30.6): streams one JSON document per line, read in batches on
 * demand, so that memory stays constant. The audit record is written before the first byte.
 */
export async function exportOrganization(
  deps: ExportDeps,
  { organizationId, actor, client }: OrganizationExport,
): Promise<ReadableStream<Uint8Array>> {
  const entry = userAuditEvent(deps, { ...actor, organizationId }, client, {
    action: "organization.exported",
    at: new Date(deps.clock.now()),
    resource: { type: "organization", id: organizationId },
  });
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
  const lines = linesOf(deps, organizationId);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

async function* linesOf({ database }: ExportDeps, organizationId: string): AsyncGenerator<string> {
  const first = await database.run("organization.read_export", (sql) => readOrganizationRow(sql, organizationId));
  if (first === undefined) return;
  yield lineOf("organization", first);
  for (const kind of ORGANIZATION_DATA_KINDS) {
    const read = (after: string) =>
      database.run("organization.read_export", (sql) =>
        readOrganizationRows(sql, kind, organizationId, after, DATA_EXPORT_ROWS_BATCH),
      );
    for await (const rows of pagesById(DATA_EXPORT_ROWS_BATCH, read, ({ id }) => id)) {
      yield rows.map((row) => lineOf(kind, row)).join("");
    }
  }
}

function lineOf(type: string, row: OrganizationDataRow): string {
  return `${JSON.stringify({ type, ...row })}\n`;
}
