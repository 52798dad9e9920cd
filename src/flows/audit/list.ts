import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { type AuditOutcome, type AuditRecord, listAudit } from "../../models/audit/audit-log.ts";
import type { AuditReader } from "../steps/authorization/authorize-audit-read.ts";
import { findParties, type PartyQuery } from "./find-parties.ts";
import { validatePeriod } from "./period.ts";

export interface AuditQuery extends PartyQuery {
  readonly caller: AuditReader;
  /** The name of an action, or a group such as `auth.*`. */
  readonly action: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Records of this organization. */
  readonly organizationId?: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly page: Page;
}

/** GET /v1/audit-logs (docs/contract.md, section 17.3). */
export async function listAuditLogs(
  deps: Pick<Deps, "reads">,
  query: AuditQuery,
): Promise<Result<Listing<AuditRecord>, Refusal<"invalid_input">>> {
  const { caller, action, outcome, organizationId: requested, page } = query;
  const period = validatePeriod(query.from, query.to);
  if (!period.ok) return period;
  // A key with organizations reads the records of these alone.
  const isBeyond = requested !== undefined && caller.organizationIds?.includes(requested) === false;
  if (isBeyond) return ok({ ...page, items: [], total: 0 });
  const organizationIds = requested === undefined ? caller.organizationIds : [requested];
  const parties = await findParties(deps, caller, query);
  const filter = { organizationIds, ...parties, action, outcome, ...period.value };
  const found = await deps.reads.run("audit.list", caller.reader, (sql) => listAudit(sql, filter, pageBounds(page)));
  return ok({ ...page, ...found });
}
