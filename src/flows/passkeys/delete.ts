import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { deletePasskey, ownsPasskey } from "../../models/passkey/passkey.ts";
import type { SessionView } from "../../models/session/session.ts";
import { keepBreakGlass } from "../steps/accounts/keep-break-glass.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { requireOtherMethod } from "../steps/credentials/require-other-method.ts";

export interface DeleteInput {
  readonly caller: SessionView;
  readonly id: string;
  readonly client: RequestContext;
}

/**
 * DELETE /v1/users/me/passkeys/:id (docs/contract.md, section 9.4): succeeds also for a deleted passkey of the caller.
 * `conflict` means the last way to sign in, or the factor of the last user with emergency access.
 */
export async function deleteOwnPasskey(
  deps: StoreDeps & Pick<Deps, "identityProviders">,
  { caller, id, client }: DeleteInput,
): Promise<Result<void, Refusal<"conflict" | "not_found">>> {
  const owned = await deps.database.run("passkey.owns", (sql) => ownsPasskey(sql, id, caller.userId));
  if (!owned) return err(refusal("not_found", "There is no such passkey."));
  const at = new Date(deps.clock.now());
  return await deps.database.transaction("passkey.delete", async (sql) => {
    const permitted = await requireOtherMethod(deps, sql, { userId: caller.userId, id });
    if (!permitted.ok) return permitted;
    const kept = await keepBreakGlass(sql, caller.userId, { passkeyId: id });
    if (!kept.ok) return kept;
    const audit = insertAudit(
      sql,
      userAuditEvent(deps, caller, client, {
        action: "auth.passkey.deleted",
        at,
        resource: { type: "passkey", id },
      }),
      sql`from deleted`,
    );
    await sql`with deleted as (${deletePasskey(sql, id, caller.userId, at)}) ${audit}`;
    return ok(undefined);
  });
}
