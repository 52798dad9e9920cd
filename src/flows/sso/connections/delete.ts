import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, SessionDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { unassignConnection } from "../../../models/organization-domain/organization-domain.ts";
import { deleteConnection, lockConnection } from "../../../models/sso-connection/sso-connection.ts";
import type { LiftingDeps } from "../../steps/authorization/lifted-requirement.ts";
import { type ConnectionInput, connectionAuditEvent } from "./audit-connection.ts";
import type { SsoConnectionDeps } from "./create.ts";
import { NO_SUCH_CONNECTION } from "./read.ts";
import { deactivateConnection } from "./set-status.ts";

export type DeleteConnectionDeps = SsoConnectionDeps & SessionDeps & LiftingDeps & Pick<Deps, "domainDirectory">;

const REACTIVATED = refusal("conflict", "The connection was activated again during the deletion.");

/**
 * DELETE /v1/orgs/:org_id/sso/connections/:id (docs/contract.md, section 29.6). Deactivation first: no sign-in inserts
 * a session between the end of the sessions and the deletion. An activation in between keeps the connection.
 */
export async function removeConnection(
  deps: DeleteConnectionDeps,
  input: ConnectionInput,
): Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const deactivated = await deactivateConnection(deps, input);
  if (!deactivated.ok) return deactivated;
  const at = new Date(deps.clock.now());
  const entry = connectionAuditEvent(deps, input, "sso.connection.deleted", at);
  const problem = await deps.database.transaction("sso_connection.delete", async (sql) => {
    const connection = await lockConnection(sql, input.caller.organizationId, input.connectionId);
    if (!connection) return NO_SUCH_CONNECTION;
    if (connection.status === "active") return REACTIVATED;
    await unassignConnection(sql, connection.id);
    await sql`
      with deleted as (${deleteConnection(sql, connection.id)}) ${insertAudit(sql, entry, sql`from deleted`)}`;
    return undefined;
  });
  if (problem) return err(problem);
  await Promise.all([deps.ssoDirectory.changed(), deps.domainDirectory.changedRow(input.caller.organizationId)]);
  return ok(undefined);
}
