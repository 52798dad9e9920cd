import { EXPORT_IDLE_SECONDS } from "../../base/limits.ts";
import { clampPage } from "../../base/listing.ts";
import { isUuid } from "../../base/random.ts";
import type { Deps } from "../../deps.ts";
import { chartAuditLogs } from "../../flows/audit/chart.ts";
import { type ExportDeps, exportAudit } from "../../flows/audit/export.ts";
import { listAuditLogs } from "../../flows/audit/list.ts";
import { nameIds, nameParties, type Parties } from "../../flows/audit/name-parties.ts";
import { authorizeAuditExport } from "../../flows/steps/authorize-audit-export.ts";
import { statusOf } from "../../http/problem-status.ts";
import { streamReply } from "../../http/reply.ts";
import { type Fields, type Page, pageNumber } from "../page.ts";
import type { PersonDeps } from "../person.ts";
import { AUDIT, AuditBody, type AuditFilters } from "./audit-body.tsx";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "./console.tsx";

const PER_PAGE = 25;
const ACTION_MAX_CHARACTERS = 200;
const HOUR_MS = 3_600_000;

function filtersIn(query: Fields): AuditFilters {
  const userId = query.text("user_id");
  return {
    action: query.text("action").slice(0, ACTION_MAX_CHARACTERS).replaceAll("\0", "").toWellFormed(),
    user_id: isUuid(userId) ? userId : "",
    from: query.text("from"),
    to: query.text("to"),
  };
}

/** The value of a `datetime-local`, which is of no zone, as a time in UTC; the flow judges any other text. */
function momentOf(text: string): string | undefined {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return `${text}:00Z`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?$/.test(text)) return `${text}Z`;
  return text || undefined;
}

/** The beginnings that are offered: whole hours, so that an address that was copied says a time. */
function periodsAt({ view }: ConsoleCall, now: number): readonly (readonly [string, string])[] {
  const { day, week, month, all } = view.t.audit;
  const ago = (days: number) =>
    new Date(Math.floor(now / HOUR_MS) * HOUR_MS - days * 24 * HOUR_MS).toISOString().slice(0, 16);
  return [
    [day, ago(1)],
    [week, ago(7)],
    [month, ago(30)],
    [all, ""],
  ];
}

/** `/admin/audit`: the audit trail with filters, pages, a chart, and the signed export. */
export function auditPage(deps: PersonDeps & Pick<Deps, "reads">): Page {
  return consolePage(deps, {
    path: AUDIT,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const filters = filtersIn(query);
      const wanted = {
        caller,
        actorId: filters.user_id || undefined,
        action: filters.action || undefined,
        from: momentOf(filters.from),
        to: momentOf(filters.to),
      };
      const page = clampPage(pageNumber(query), PER_PAGE);
      const [listed, charted] = await Promise.all([
        listAuditLogs(deps, { ...wanted, page }),
        chartAuditLogs(deps, wanted),
      ]);
      const listing = listed.ok ? listed.value : { ...page, items: [], total: 0 };
      const body = (
        <AuditBody
          filters={filters}
          listing={listing}
          chart={charted.ok ? charted.value : undefined}
          parties={await partiesOf(deps, call, listing.items, filters)}
          periods={periodsAt(call, deps.clock.now())}
          exports={mayAct(caller)}
          state={listed.ok ? {} : { problem: view.t.audit.badPeriod }}
        />
      );
      const status = listed.ok ? 200 : statusOf(listed.error.code);
      return showConsole(call, { at: AUDIT, title: view.t.audit.title, body, status });
    },
  });
}

async function partiesOf(
  deps: Pick<Deps, "reads">,
  { admin }: ConsoleCall,
  records: Parameters<typeof nameParties>[2],
  { user_id: filtered }: AuditFilters,
): Promise<Parties> {
  const [parties, { users }] = await Promise.all([
    nameParties(deps, admin, records),
    nameIds(deps, admin, [filtered || null], []),
  ]);
  return { ...parties, users: new Map([...parties.users, ...users]) };
}

/** `/admin/audit/export`: the signed export of a period, as a download. By POST: it costs much and is recorded. */
export function auditExportPage(deps: PersonDeps & ExportDeps): Page {
  return consolePage(deps, {
    path: "/admin/audit/export",
    async post(call: ConsoleCall) {
      const { caller, form, client, view, waitAtMost } = call;
      const authorized = await authorizeAuditExport(deps, caller.session);
      const own = { payment_required: view.t.audit.needsTier };
      if (!authorized.ok) return refuseConsole(call, authorized.error, AUDIT, own);
      waitAtMost(EXPORT_IDLE_SECONDS);
      const [from, to] = [momentOf(form.text("from")), momentOf(form.text("to"))];
      const exported = await exportAudit(deps, { caller: authorized.value, from, to, client });
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
