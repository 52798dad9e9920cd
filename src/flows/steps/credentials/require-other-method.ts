import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { findSignInMethods } from "../../../models/user/sign-in-methods.ts";
import { lockUser } from "../../../models/user/user.ts";

const LAST_METHOD = refusal("conflict", "This is the last way to sign in to this account. Add another one first.");

/**
 * Runs inside the transaction that removes a passkey or an identity: locks the user and requires a further way to sign
 * in, so that of two removals at once the second finds the result of the first. Identities of a provider that is
 * switched off count as no way to sign in.
 */
export async function requireOtherMethod(
  { identityProviders }: Pick<Deps, "identityProviders">,
  sql: Sql,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<Result<void, Refusal<"conflict">>> {
  // A separate statement: the snapshot of the next statement includes everything committed before the lock.
  await lockUser(sql, userId);
  const { hasPassword, passkeyIds, identities } = await findSignInMethods(sql, userId);
  const usable = identities.filter(({ provider }) => identityProviders.find(provider) !== undefined);
  const others = [...passkeyIds, ...usable.map((identity) => identity.id)].filter((method) => method !== id);
  return hasPassword || others.length > 0 ? ok(undefined) : err(LAST_METHOD);
}
