import type { AuditRecord } from "../models/audit/audit-log.ts";

/** An audit record on the wire (docs/contract.md, section 4.13). */
export function auditRecordBody(record: AuditRecord) {
  return {
    id: record.id,
    event_id: record.eventId,
    timestamp: record.timestamp.toISOString(),
    organization_id: record.organizationId,
    actor_id: record.actorId,
    actor_type: record.actorType,
    action: record.action,
    resource_type: record.resourceType,
    resource_id: record.resourceId,
    ip_address: record.ipAddress,
    user_agent: record.userAgent,
    request_id: record.requestId,
    metadata: record.metadata,
    outcome: record.outcome,
  };
}
