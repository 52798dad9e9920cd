import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { listDeletions, type NamedDeletion, type SubjectType } from "../../models/deletion/deletion.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { closeAccount, lockBeforeClosing, type PendingDeletion } from "../steps/deletion/close-account.ts";
import { type AdministerUser, administerUnderLock, permitted } from "../users/administer.ts";

/**
 * POST /v1/admin/users/:id/deletion (docs/contract.md, section 30.2): the deletion of a user by a platform
 * administrator, with a reason, under the rules of the user's own request.
 */
export async function requestUserDeletion(
  deps: SignInDeps,
  input: AdministerUser & { readonly reason: string },
): Promise<Result<PendingDeletion, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const { caller, userId, reason, client } = input;
  let closed: Awaited<ReturnType<typeof closeAccount>> | undefined;
  const close = async (sql: Sql, at: Date) => {
    closed = await closeAccount(deps, sql, { userId, actor: caller.actor, reason, client, at });
    return closed.ok ? closed.value.events : [];
  };
  const outcome = await administerUnderLock(deps, input, permitted, close, (sql) => lockBeforeClosing(sql, userId));
  if (!outcome.ok) return outcome;
  if (!closed) throw new Error("the transaction of a deletion ended without an outcome");
  if (!closed.ok) return err(closed.error);
  deps.outbox.wake();
  // Organizations without another member are suspended with the account.
  await deps.ssoDirectory.changed();
  return ok(closed.value.deletion);
}

/** Pending deletions and tombstones. `_caller`: a Viewer or higher. */
export async function searchDeletions(
  { database }: Pick<Deps, "database">,
  { page, subjectType }: { readonly caller: PlatformCaller; readonly subjectType?: SubjectType; readonly page: Page },
): Promise<Listing<NamedDeletion>> {
  const found = await database.run("deletion.list", (sql) => listDeletions(sql, subjectType, pageBounds(page)));
  return { ...page, ...found };
}
