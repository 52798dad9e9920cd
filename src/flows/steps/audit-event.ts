import type { ClientFacts } from "../../base/client-facts.ts";
import type { Deps } from "../../deps.ts";
import type { AuditEntry } from "../../models/audit/audit.ts";

/** The user of the event: of a session, or a candidate for one. */
export interface Actor {
  readonly userId: string;
  readonly organizationId: string | null;
}

export interface AuditEvent {
  readonly action: AuditEntry["action"];
  readonly at: Date;
  /** Default: success. */
  readonly outcome?: AuditEntry["outcome"];
  /** Default: the user itself. */
  readonly resource?: { readonly type: AuditEntry["resourceType"]; readonly id: string };
  readonly metadata?: AuditEntry["metadata"];
}

/** The audit record of an action by a user. `actor` undefined: the user is unknown. */
export function userAuditEvent(
  { random }: Pick<Deps, "random">,
  actor: Actor | undefined,
  client: ClientFacts,
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
    actorType: "user",
    resourceType: auditEvent.resource?.type ?? "user",
    resourceId: auditEvent.resource?.id ?? userId,
    metadata: auditEvent.metadata ?? {},
    client,
  };
}
