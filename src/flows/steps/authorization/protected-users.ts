/** The users whom a caller may not change: by rank, and the initial owner of the platform. */
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { StoreDeps } from "../../../deps.ts";
import { initialOwnerAddress } from "../../../models/user/email-address.ts";
import {
  hasProtectedHolder,
  hasProtectedUser,
  includesRole,
  type PlatformRole,
} from "../../../models/user/platform-role.ts";
import { findUserIdByEmail } from "../../../models/user/user-address.ts";
import { byRule } from "../../../vocabulary/program-rules.ts";
import { type CallerCredential, isProgramCredential } from "../credentials/lock-credential.ts";

const PROTECTED = byRule(
  "protected_user",
  refusal("forbidden", "This user has a platform role: no program changes the user."),
);
export const HIGHER_ROLE = refusal("forbidden", "This user has a platform role above yours.");
const RESERVED_FOR_OWNER = byRule(
  "protected_user",
  refusal("forbidden", "This address is reserved for the initial owner of the platform, who signs up in person."),
);

type Permitted = Result<void, Refusal<"forbidden">>;

/**
 * A program changes no user with a platform role, in any organization and whatever its scopes (docs/contract.md,
 * section 35.5). A disabled user keeps the protection.
 */
export async function refuseProtected(
  sql: Sql,
  { credential }: { readonly credential: CallerCredential },
  userIds: readonly string[],
): Promise<Permitted> {
  if (!isProgramCredential(credential) || userIds.length === 0) return ok(undefined);
  return (await hasProtectedUser(sql, userIds)) ? err(PROTECTED) : ok(undefined);
}

const PROTECTED_HOLDER = byRule(
  "protected_user",
  refusal("forbidden", "A user with a platform role has this role: no program changes the role."),
);

/** A program neither deletes a role that a user with a platform role has nor changes the permissions of the role. */
export async function refuseProtectedHolders(
  sql: Sql,
  { credential }: { readonly credential: CallerCredential },
  roleId: string,
): Promise<Permitted> {
  if (!isProgramCredential(credential)) return ok(undefined);
  return (await hasProtectedHolder(sql, roleId)) ? err(PROTECTED_HOLDER) : ok(undefined);
}

/** Whether a caller with a platform role, or null, may change a user with the role `held`. */
export function permitRank(role: PlatformRole | null, held: PlatformRole | null): Permitted {
  if (held === null || includesRole(role, held)) return ok(undefined);
  return err(role === null ? PROTECTED : HIGHER_ROLE);
}

interface Author {
  /** Null: a program. */
  readonly role: PlatformRole | null;
}

/**
 * Refuses the address of `SERVICE_INITIAL_OWNER_EMAIL`: control that a program or another administrator gives never
 * leads to the role that a start of the service grants to the address (docs/contract.md, section 5.6).
 */
export function permitAddress(deps: Pick<StoreDeps, "config">, { role }: Author, email: string): Permitted {
  return role !== "owner" && initialOwnerAddress(deps.config) === email ? err(RESERVED_FOR_OWNER) : ok(undefined);
}

/** Refuses a change by a program of the user who has the address of `SERVICE_INITIAL_OWNER_EMAIL`. */
export async function permitHolder(
  deps: Pick<StoreDeps, "config">,
  sql: Sql,
  { role }: Author,
  userId: string,
): Promise<Permitted> {
  const reserved = initialOwnerAddress(deps.config);
  if (role !== null || reserved === undefined) return ok(undefined);
  return (await findUserIdByEmail(sql, reserved, undefined)) === userId ? err(RESERVED_FOR_OWNER) : ok(undefined);
}
