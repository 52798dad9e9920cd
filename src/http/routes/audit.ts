import type { Static } from "@sinclair/typebox";
import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { AuditDeps } from "../../deps.ts";
import { exportAudit } from "../../flows/audit/export.ts";
import { listAuditLogs } from "../../flows/audit/list.ts";
import { proveExport } from "../../flows/audit/prove-export.ts";
import { proveRecord } from "../../flows/audit/prove-record.ts";
import { authorizeAuditExport } from "../../flows/steps/authorization/authorize-audit-export.ts";
import {
  authorizeAuditRead,
  authorizeOrganizationAudit,
} from "../../flows/steps/authorization/authorize-audit-read.ts";
import { EXPORT_IDLE_SECONDS } from "../../limits/audit-limits.ts";
import { auditRecordBody } from "../audit-record.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { listReply, reply, streamReply } from "../reply.ts";
import {
  AuditItem,
  AuditQuery,
  ExportQuery,
  OrganizationAuditQuery,
  ProofQuery,
  RecordProofItem,
} from "../schemas/admin.ts";
import { listOf } from "../schemas/common.ts";

const tag = "Audit";
const PROOF_EXAMPLE =
  '{"format":"audit-export/1","tree_size":4711,"first_leaf":0,"last_leaf":0,"lines":1}\n' +
  '[0,1,"CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="]\n';
const EXPORT_EXAMPLE = '{"id":1,"action":"auth.login"}\n{"_signature":"sha256=9f86d081","_count":1}\n';

/** docs/contract.md, sections 17.3 to 17.7. */
export function auditTrailRoutes(deps: AuditDeps): Endpoint[] {
  return [...listRoutes(deps), ...auditRecordRoutes(deps), ...auditExportRoutes(deps), ...auditProofRoutes(deps)];
}

function listRoutes(deps: AuditDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/audit-logs",
      operationId: "listAuditLogs",
      docs: { clientMethod: "admin.audit.list", section: "17.3", access: "platform viewer" },
      tag,
      summary: "Read the audit trail",
      description: "A key of an organization reads the records of that organization.",
      auth: "administrative",
      permission: "audit.read",
      input: { query: AuditQuery },
      responses: { 200: { description: "Newest first", schema: listOf(AuditItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller) => authorizeAuditRead(deps, caller),
      async handle({ authorized: caller, query }) {
        const listing = await listAuditLogs(deps, {
          caller,
          actorId: query.user_id,
          actor: query.actor,
          q: query.q,
          action: query.action,
          outcome: query.outcome,
          organizationId: query.organization_id,
          from: query.from,
          to: query.to,
          page: clampPage(query.page, query.page_size),
        });
        return listing.ok ? ok(listReply(listing.value, auditRecordBody)) : listing;
      },
    }),
    organizationTrailRoute(deps),
  ];
}

function organizationTrailRoute(deps: AuditDeps): Endpoint {
  return endpoint({
    method: "GET",
    path: "/orgs/:org_id/audit-logs",
    operationId: "listOrganizationAuditLogs",
    docs: { clientMethod: "audit.list", section: "17.3" },
    tag,
    summary: "Read the audit trail of an organization",
    auth: "administrative",
    permission: "audit.read",
    input: { query: OrganizationAuditQuery },
    responses: { 200: { description: "Newest first", schema: listOf(AuditItem) } },
    problems: ["not_found", "forbidden"],
    authorize: (caller, params) => authorizeOrganizationAudit(deps, caller, params.org_id),
    async handle({ authorized: caller, query }) {
      const listing = await listAuditLogs(deps, {
        caller,
        actorId: query.user_id,
        actor: query.actor,
        q: query.q,
        action: query.action,
        outcome: query.outcome,
        from: query.from,
        to: query.to,
        page: clampPage(query.page, query.page_size),
      });
      return listing.ok ? ok(listReply(listing.value, auditRecordBody)) : listing;
    },
  });
}

function auditRecordRoutes(deps: AuditDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/audit-logs/:event_id/proof",
      operationId: "proveAuditRecord",
      docs: { clientMethod: "admin.audit.proveRecord", section: "17.8", access: "platform viewer" },
      tag,
      summary: "Prove an audit record",
      description:
        "The record, the leaf of the record in the transparency log, and the hashes from the leaf to the root of a " +
        "checkpoint (RFC 6962, section 2.1.1). Readers of the record may read the proof.",
      auth: "administrative",
      permission: "audit.read",
      responses: { 200: { description: "The proof", schema: RecordProofItem } },
      problems: ["forbidden", "mfa_required", "not_found", "conflict"],
      authorize: (caller) => authorizeAuditRead(deps, caller),
      async handle({ authorized: caller, params }) {
        const proved = await proveRecord(deps, { caller, eventId: params.event_id });
        if (!proved.ok) return proved;
        // A record that was modified in the database is returned unchanged: the verifier reports the record.
        return ok(reply(200, { ...proved.value, record: proved.value.record as Static<typeof AuditItem> }));
      },
    }),
  ];
}

function auditExportRoutes(deps: AuditDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/audit-export",
      operationId: "exportAudit",
      docs: {
        clientMethod: "admin.audit.export",
        section: "17.4",
        access: "entitlement `AuditExport` and platform admin",
      },
      tag,
      summary: "Export the audit trail, signed",
      description:
        "One JSON document per line, then a trailer with `_signature` and `_count`. The signature is HMAC-SHA-256 " +
        "over all lines but the trailer, newlines included; X-Service-Signature has the same value. A replica runs " +
        "two exports at a time. A key of an organization exports the records of that organization.",
      auth: "administrative",
      permission: "audit.export",
      limits: { countsCaller: true },
      input: { query: ExportQuery },
      responses: {
        200: {
          description: "The export",
          contentType: "application/x-ndjson",
          headers: ["X-Service-Signature", "X-Service-Audit-Tree-Size", "Content-Disposition"],
          example: EXPORT_EXAMPLE,
        },
      },
      problems: ["payment_required", "forbidden", "rate_limited", "mfa_required"],
      authorize: (caller) => authorizeAuditExport(deps, caller),
      async handle({ authorized: caller, query, client, waitAtMost }) {
        // Nothing is sent until the spool is complete.
        waitAtMost(EXPORT_IDLE_SECONDS);
        const { from, to, proof } = query;
        const exported = await exportAudit(deps, { caller, from, to, provable: proof === "true", client });
        if (!exported.ok) return exported;
        const { spool, bytes, signature, treeSize } = exported.value;
        const headers = {
          "x-service-signature": signature,
          "content-disposition": 'attachment; filename="audit.ndjson"',
          ...(treeSize === undefined ? {} : { "x-service-audit-tree-size": String(treeSize) }),
        };
        return ok(streamReply(200, "application/x-ndjson", spool.stream(bytes), { headers }));
      },
    }),
  ];
}

function auditProofRoutes(deps: AuditDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/audit-export/proof",
      operationId: "proveAuditExport",
      docs: {
        clientMethod: "admin.audit.prove",
        section: "17.7",
        access: "entitlement `AuditExport` and platform admin",
      },
      tag,
      summary: "Prove an export",
      description:
        "For an export with `proof=true` of the same period: the checkpoint, and the leaf of each line, from which " +
        "the root can be computed. One JSON document per line. Proofs count as exports. A key of an organization " +
        "gets the proof of the organization's export, with all further leaves as hashes.",
      auth: "administrative",
      permission: "audit.export",
      limits: { countsCaller: true },
      input: { query: ProofQuery },
      responses: {
        200: {
          description: "The proof",
          contentType: "application/x-ndjson",
          headers: ["Content-Disposition"],
          example: PROOF_EXAMPLE,
        },
      },
      problems: ["payment_required", "forbidden", "rate_limited", "mfa_required"],
      authorize: (caller) => authorizeAuditExport(deps, caller),
      async handle({ authorized: caller, query, waitAtMost }) {
        waitAtMost(EXPORT_IDLE_SECONDS);
        const { from, to, tree_size: treeSize, kept_size: keptSize } = query;
        const sizes = { treeSize: Number(treeSize), keptSize: keptSize === undefined ? undefined : Number(keptSize) };
        const proved = await proveExport(deps, { caller, from, to, ...sizes });
        if (!proved.ok) return proved;
        const { spool, bytes, head } = proved.value;
        const headers = { "content-disposition": 'attachment; filename="audit.proof"' };
        return ok(streamReply(200, "application/x-ndjson", spool.stream(bytes, head), { headers }));
      },
    }),
  ];
}
