import type { RequestContext } from "../../../base/request-context.ts";
import type { Deps } from "../../../deps.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";

/** The record of a registration, a change or a deletion by the application itself. */
export function registrationEvent(
  { random }: Pick<Deps, "random">,
  action: Extract<AuditAction, "oauth.client.deleted" | "oauth.client.registered" | "oauth.client.updated">,
  clientId: string,
  client: RequestContext,
  at: Date,
): AuditEntry {
  return {
    eventId: random.uuid(),
    at,
    action,
    outcome: "success",
    organizationId: null,
    actorId: null,
    actorType: "system",
    resourceType: "oauth_client",
    resourceId: clientId,
    metadata: { source: "registration" },
    client,
  };
}
