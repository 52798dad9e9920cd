import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findPlatformRole, type PlatformRole, setPlatformRole } from "../../models/user/platform-role.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";

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
 * Grants or revokes the platform role of the user with this address, with its audit row. Returns whether the role
 * changed.
 */
export async function setRole(
  deps: StoreDeps,
  input: SetRoleInput,
): Promise<Result<boolean, Refusal<"invalid_input" | "not_found" | "conflict">>> {
  const email = normalizeEmail(input.email);
  if (!email) return err(invalidInput("email", "format", "not an e-mail address"));
  const known = await deps.database.run("user.find_platform_role", (sql) => findPlatformRole(sql, email));
  if (!known) return err(refusal("not_found", "no user has this address"));
  const { onlyFrom } = input;
  if (onlyFrom && known.role && known.role !== onlyFrom)
    return err(refusal("conflict", `the platform role is ${known.role}, not ${onlyFrom}`));
  return ok(await deps.database.run("user.set_platform_role", (sql) => setRoleIn(deps, sql, { ...input, email })));
}

/** A single statement, inside a transaction or alone; `email` is normalised. Returns whether the role changed. */
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
