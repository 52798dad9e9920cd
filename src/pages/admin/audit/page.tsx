import { clampPage } from "../../../database/listing.ts";
import type { AuditDeps, Deps } from "../../../deps.ts";
import { chartAuditLogs } from "../../../flows/audit/chart.ts";
import { exportAudit } from "../../../flows/audit/export.ts";
import { listAuditLogs } from "../../../flows/audit/list.ts";
import { nameIds, nameParties, type Parties } from "../../../flows/audit/name-parties.ts";
import { authorizeAuditExport } from "../../../flows/steps/authorization/authorize-audit-export.ts";
import { auditReader } from "../../../flows/steps/authorization/authorize-audit-read.ts";
import { requireStepUp } from "../../../flows/steps/sessions/step-up.ts";
import { streamReply } from "../../../http/reply.ts";
import { EXPORT_IDLE_SECONDS } from "../../../limits/audit-limits.ts";
import { AUDIT_LIVE_REFRESH_SECONDS } from "../../../limits/console-limits.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import { AUDIT } from "../../addresses.ts";
import { type Page, pageNumber } from "../../page.ts";
import { refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { type AuditFilters, boundsOf, chartBoundsOf, filtersIn, momentOf } from "./audit-filters.ts";
import { liveEndIn } from "./live.tsx";
import { AuditBody } from "./view.tsx";

const PER_PAGE = 25;

/** `/admin/audit`: the audit trail with filters, pages, a chart, and the signed export. */
export function auditPage(deps: SignedInUserDeps & Pick<Deps, "reads">): Page {
  return consolePage(deps, {
    path: AUDIT,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const filters = filtersIn(query);
      const now = deps.clock.now();
      const { timeZone } = view.dates;
      const bounds = boundsOf(filters, now, timeZone);
      const wanted = {
        actorId: filters.user_id || undefined,
        actor: filters.actor,
        q: filters.q,
        organizationId: filters.organization_id || undefined,
        action: filters.action || undefined,
        outcome: filters.outcome || undefined,
      };
      const page = clampPage(pageNumber(query), PER_PAGE);
      const liveEnd = page.page === 1 ? liveEndIn(query, now) : undefined;
      const [listed, charted] = await Promise.all([
        listAuditLogs(deps, { ...wanted, ...bounds, caller: auditReader(caller), page }),
        chartAuditLogs(deps, { ...wanted, ...chartBoundsOf(filters, now, timeZone), caller }),
      ]);
      const listing = listed.ok ? listed.value : { ...page, items: [], total: 0 };
      const body = (
        <AuditBody
          filters={filters}
          listing={listing}
          chart={charted.ok ? charted.value : undefined}
          parties={await partiesOf(deps, call, listing.items, filters)}
          exported={mayAct(caller) ? bounds : undefined}
          liveEnd={liveEnd}
          state={listed.ok ? {} : { problem: view.t.audit.badPeriod }}
        />
      );
      const parts = listed.ok ? {} : refusedParts(listed.error);
      const refresh = liveEnd === undefined ? {} : { refreshSeconds: AUDIT_LIVE_REFRESH_SECONDS };
      const islands = [liveEnd === undefined ? ("local-times" as const) : ("live" as const)];
      return showConsole(call, { at: AUDIT, title: view.t.audit.title, body, islands, ...refresh, ...parts });
    },
  });
}

async function partiesOf(
  deps: Pick<Deps, "reads">,
  { admin }: ConsoleCall,
  records: readonly AuditRecord[],
  { user_id: userId, organization_id: organizationId }: AuditFilters,
): Promise<Parties> {
  const [parties, filtered] = await Promise.all([
    nameParties(deps, admin, records),
    nameIds(deps, admin, [userId || null], [organizationId || null]),
  ]);
  return {
    users: new Map([...parties.users, ...filtered.users]),
    organizations: new Map([...parties.organizations, ...filtered.organizations]),
  };
}

/**
 * `/admin/audit/export`: the signed export of a period, as a download. The method is POST: an export is expensive and
 * recorded.
 */
export function auditExportPage(deps: AuditDeps & SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/audit/export",
    async post(call: ConsoleCall) {
      const { caller, form, client, view, waitAtMost } = call;
      const authorized = await authorizeAuditExport(deps, caller);
      const own = { payment_required: view.t.audit.needsTier };
      if (!authorized.ok) return refuseConsole(call, authorized.error, AUDIT, own);
      const steppedUp = requireStepUp(deps, caller.session);
      if (!steppedUp.ok) return refuseConsole(call, steppedUp.error, AUDIT);
      waitAtMost(EXPORT_IDLE_SECONDS);
      const [from, to] = [momentOf(form.text("from")), momentOf(form.text("to"))];
      const exported = await exportAudit(deps, { caller: authorized.value, from, to, provable: false, client });
      if (!exported.ok) return refuseConsole(call, exported.error, AUDIT, { invalid_input: view.t.audit.badPeriod });
      const { spool, bytes, signature } = exported.value;
      const headers = {
        "x-service-signature": signature,
        "content-disposition": 'attachment; filename="audit.ndjson"',
      };
      return streamReply(200, "application/x-ndjson", spool.stream(bytes), { headers });
    },
  });
}
