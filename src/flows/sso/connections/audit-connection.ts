import type { RequestContext } from "../../../base/request-context.ts";
import type { Deps } from "../../../deps.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { ResponsibleCaller } from "../../steps/authorization/authorize-member.ts";

/** A request that changes a connection. */
export interface ConnectionInput {
  /** A member with a step-up, or a set-up link. */
  readonly caller: ResponsibleCaller;
  readonly connectionId: string;
  readonly client: RequestContext;
}

/** The audit record of a change of a connection. Metadata contain names of members, never values. */
export function connectionAuditEvent(
  deps: Pick<Deps, "random">,
  { caller, connectionId, client }: ConnectionInput,
  action: AuditAction & `sso.connection.${string}`,
  at: Date,
  metadata: AuditEntry["metadata"] = {},
): AuditEntry {
  const resource = { type: "sso_connection", id: connectionId } as const;
  return userAuditEvent(deps, caller.actor, client, { action, at, resource, metadata });
}
