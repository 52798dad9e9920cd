import type { Sql } from "../../../database/database.ts";
import type { StoreDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { type PlatformRole, setPlatformRole } from "../../../models/user/platform-role.ts";
import { systemAuditEvent } from "../audit/system-audit-event.ts";

export interface SetRoleInput {
  readonly email: string;
  /** Null revokes the role. */
  readonly role: PlatformRole | null;
  /** The role that the user must hold, if the user holds a role; default: any. */
  readonly onlyFrom?: PlatformRole;
  /** Applies only to a user with a controlling proof (docs/contract.md, section 5.2). */
  readonly controlledOnly: boolean;
  /** `command`: the command line. `initial_owner`: `SERVICE_INITIAL_OWNER_EMAIL`. */
  readonly source: "command" | "initial_owner";
}

/**
 * Sets the platform role with its audit row, in a single statement, inside a transaction or alone; `email` is
 * normalised. Returns whether the role changed.
 */
export async function setRoleIn(deps: Omit<StoreDeps, "database">, sql: Sql, input: SetRoleInput): Promise<boolean> {
  const { email, role, onlyFrom = null, controlledOnly, source } = input;
  const at = new Date(deps.clock.now());
  const event = systemAuditEvent(deps, {
    action: role === null ? "platform_role.revoked" : "platform_role.granted",
    at,
    resource: { type: "user", id: sql`changed.id` },
    metadata: { role: role ?? "none", source },
  });
  const changed = await sql`
    with changed as (${setPlatformRole(sql, { email, role, onlyFrom, controlledOnly, at })}),
    audit as (${insertAudit(sql, event, sql`from changed`)})
    select id from changed`;
  return changed.length > 0;
}
