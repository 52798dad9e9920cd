import { EXPORT_IDLE_SECONDS } from "../../base/limits.ts";
import { clampPage } from "../../base/listing.ts";
import { ok } from "../../base/result.ts";
import { type ExportDeps, exportAudit } from "../../flows/audit/export.ts";
import { listAuditLogs } from "../../flows/audit/list.ts";
import { authorizeAuditExport } from "../../flows/steps/authorize-audit-export.ts";
import { authorizePlatformRole } from "../../flows/steps/authorize-platform-role.ts";
import { auditRecordBody } from "../audit-record.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { listReply, streamReply } from "../reply.ts";
import { AuditItem, AuditQuery, ExportQuery } from "../schemas/admin.ts";
import { listOf } from "../schemas/common.ts";

const tag = "Audit";
const EXPORT_EXAMPLE = '{"id":1,"action":"auth.login"}\n{"_signature":"sha256=9f86d081","_count":1}\n';

/** docs/contract.md, chapter 17. */
export function auditRoutes(deps: ExportDeps): Endpoint[] {
  return [...auditTrailRoutes(deps), ...auditExportRoutes(deps)];
}

function auditTrailRoutes(deps: ExportDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/audit-logs",
      operationId: "listAuditLogs",
      tag,
      summary: "Read the audit trail",
      auth: "caller",
      query: AuditQuery,
      answers: { 200: { description: "Newest first", schema: listOf(AuditItem) } },
      problems: ["forbidden"],
      authorize: ({ session }) => authorizePlatformRole(deps, session, "viewer"),
      async handle({ authorized: caller, query }) {
        const listing = await listAuditLogs(deps, {
          caller,
          actorId: query.user_id,
          action: query.action,
          from: query.from,
          to: query.to,
          page: clampPage(query.page, query.page_size),
        });
        return listing.ok ? ok(listReply(listing.value, auditRecordBody)) : listing;
      },
    }),
  ];
}

function auditExportRoutes(deps: ExportDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/audit-export",
      operationId: "exportAudit",
      tag,
      summary: "Export the audit trail, signed",
      description:
        "One JSON document per line, then a trailer with `_signature` and `_count`. The signature is HMAC-SHA-256 " +
        "over all lines but the trailer, newlines included; X-Service-Signature has the same value. A replica runs " +
        "two exports at a time.",
      auth: "caller",
      countsCaller: true,
      query: ExportQuery,
      answers: {
        200: {
          description: "The export",
          contentType: "application/x-ndjson",
          headers: ["X-Service-Signature", "Content-Disposition"],
          example: EXPORT_EXAMPLE,
        },
      },
      problems: ["payment_required", "forbidden", "rate_limited"],
      authorize: ({ session }) => authorizeAuditExport(deps, session),
      async handle({ authorized: caller, query, client, waitAtMost }) {
        // Nothing is sent until the spool is complete.
        waitAtMost(EXPORT_IDLE_SECONDS);
        const exported = await exportAudit(deps, { caller, from: query.from, to: query.to, client });
        if (!exported.ok) return exported;
        const { spool, bytes, signature } = exported.value;
        const headers = {
          "x-service-signature": signature,
          "content-disposition": 'attachment; filename="audit.ndjson"',
        };
        return ok(streamReply(200, "application/x-ndjson", spool.stream(bytes), { headers }));
      },
    }),
  ];
}
