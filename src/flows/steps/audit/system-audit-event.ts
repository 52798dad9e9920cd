import { NO_CLIENT } from "../../../base/request-context.ts";
import type { Deps } from "../../../deps.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";

export interface SystemAuditEvent extends Pick<AuditEntry, "action" | "at" | "metadata"> {
  readonly resource: { readonly type: AuditEntry["resourceType"]; readonly id: AuditEntry["resourceId"] };
  /** Default: no tenant. */
  readonly organizationId?: AuditEntry["organizationId"];
}

/** The audit entry of an action without a request: a command, a start, a maintenance task. */
export function systemAuditEvent({ random }: Pick<Deps, "random">, event: SystemAuditEvent): AuditEntry {
  return {
    eventId: random.uuid(),
    at: event.at,
    action: event.action,
    outcome: "success",
    organizationId: event.organizationId ?? null,
    actorId: null,
    actorType: "system",
    resourceType: event.resource.type,
    resourceId: event.resource.id,
    metadata: event.metadata,
    client: NO_CLIENT,
  };
}
