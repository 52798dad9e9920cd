import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { malformedEmail, normalizeEmail } from "../../models/user/email-address.ts";
import { findPlatformRole } from "../../models/user/platform-role.ts";
import { type SetRoleInput, setRoleIn } from "../steps/roles/set-role-in.ts";

/**
 * Grants or revokes the platform role of the user with this address, with its audit row. Returns whether the role
 * changed.
 */
export async function setRole(
  deps: StoreDeps,
  input: SetRoleInput,
): Promise<Result<boolean, Refusal<"invalid_input" | "not_found" | "conflict">>> {
  const email = normalizeEmail(input.email);
  if (!email) return err(malformedEmail("email", input.email));
  const known = await deps.database.run("user.find_platform_role", (sql) => findPlatformRole(sql, email));
  if (!known) return err(refusal("not_found", "no user has this address"));
  const { onlyFrom } = input;
  if (onlyFrom && known.role && known.role !== onlyFrom)
    return err(refusal("conflict", `the platform role is ${known.role}, not ${onlyFrom}`));
  return ok(await deps.database.run("user.set_platform_role", (sql) => setRoleIn(deps, sql, { ...input, email })));
}
