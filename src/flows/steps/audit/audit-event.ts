import type { RequestContext } from "../../../base/request-context.ts";
import type { Deps } from "../../../deps.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";

/** The acting party: the user of a session, a candidate for a session, an API key, or a set-up link. */
export interface Actor {
  /** The id of the user, the API key or the set-up link. */
  readonly userId: string;
  readonly organizationId: string | null;
  /** Default: user. */
  readonly type?: "user" | "api_key" | "setup_link";
}

export interface AuditEvent {
  readonly action: AuditEntry["action"];
  readonly at: Date;
  /** Default: success. */
  readonly outcome?: AuditEntry["outcome"];
  /** Default: the user itself. */
  readonly resource?: { readonly type: AuditEntry["resourceType"]; readonly id: string | null };
  readonly metadata?: AuditEntry["metadata"];
}

/** The audit record of an action by a user. `actor` undefined: the user is unknown. */
export function userAuditEvent(
  { random }: Pick<Deps, "random">,
  actor: Actor | undefined,
  client: RequestContext,
  auditEvent: AuditEvent,
): AuditEntry {
  const userId = actor?.userId ?? null;
  return {
    eventId: random.uuid(),
    at: auditEvent.at,
    action: auditEvent.action,
    outcome: auditEvent.outcome ?? "success",
    organizationId: actor?.organizationId ?? null,
    actorId: userId,
    actorType: actor?.type ?? "user",
    resourceType: auditEvent.resource?.type ?? "user",
    resourceId: auditEvent.resource?.id ?? userId,
    metadata: auditEvent.metadata ?? {},
    client,
  };
}
