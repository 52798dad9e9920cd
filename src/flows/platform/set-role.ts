import { NO_CLIENT } from "../../base/client-facts.ts";
import type { Sql } from "../../base/database.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findPlatformRole, type PlatformRole, setPlatformRole } from "../../models/user/platform-role.ts";

type StepDeps = Pick<Deps, "database" | "clock" | "random">;

export interface SetRoleInput {
  readonly email: string;
  /** Null takes the role away. */
  readonly role: PlatformRole | null;
  /** Only a user who has proven control of the mailbox. */
  readonly controlledOnly: boolean;
  /** Who says so: the command line, or the setting that names the first owner. */
  readonly source: "command" | "initial_owner";
}

/**
 * Gives the user of an address a platform role, or takes it away, with its audit row. Returns whether anything changed. Refuses
 * with `invalid_input` for what is no address and `not_found` for an unknown one.
 */
export async function setRole(deps: StepDeps, input: SetRoleInput): Promise<Result<boolean>> {
  const email = normalizeEmail(input.email);
  if (!email) return err(refusal("invalid_input", "not an e-mail address"));
  const known = await deps.database.run("user.find_platform_role", (sql) => findPlatformRole(sql, email));
  if (!known) return err(refusal("not_found", "no user has this address"));
  return ok(await deps.database.run("user.set_platform_role", (sql) => setRoleIn(deps, sql, { ...input, email })));
}

/** One statement, in a transaction or by itself; `email` is normalised. Returns whether anything changed. */
export async function setRoleIn(deps: Omit<StepDeps, "database">, sql: Sql, input: SetRoleInput): Promise<boolean> {
  const { email, role, controlledOnly, source } = input;
  const at = new Date(deps.clock.now());
  const audit = insertAudit(
    sql,
    {
      eventId: deps.random.uuid(),
      at,
      action: role === null ? "platform_role.revoked" : "platform_role.granted",
      outcome: "success",
      organizationId: sql`changed.last_organization_id`,
      actorId: null,
      actorType: "system",
      resourceType: "user",
      resourceId: sql`changed.id`,
      metadata: { role: role ?? "none", source },
      client: NO_CLIENT,
    },
    sql`from changed`,
  );
  const changed = await sql`
    with changed as (${setPlatformRole(sql, { email, role, controlledOnly, at })}),
    audit as (${audit})
    select id from changed`;
  return changed.length > 0;
}
