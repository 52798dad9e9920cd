import type { RequestContext } from "../../../base/request-context.ts";
import type { Deps } from "../../../deps.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";

/** The acting party: the user of a session, a candidate for a session, a program, or a set-up link. */
export interface Actor {
  /** The id of the user, the API key, the service account or the set-up link. */
  readonly userId: string;
  readonly organizationId: string | null;
  /** Default: user. */
  readonly type?: "user" | "api_key" | "service_account" | "setup_link";
  /** The key or trust of the access token of a service account. */
  readonly credential?: string;
}

/** Whether a program acts, with a key or with an access token. */
export function isProgramActor({ type }: Actor): boolean {
  return type === "api_key" || type === "service_account";
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
    metadata: { ...auditEvent.metadata, ...(actor?.credential === undefined ? {} : { credential: actor.credential }) },
    client,
  };
}
