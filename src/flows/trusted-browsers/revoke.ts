import { hashOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findTrustedBrowser, revokeTrustedBrowser } from "../../models/trusted-browser/trusted-browser.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";

export interface RevokeInput {
  readonly caller: SessionView;
  readonly id: string;
  readonly trustToken: string | undefined;
  readonly client: RequestContext;
}

/**
 * DELETE /v1/auth/trusted-browsers/:id (docs/contract.md, section 10.3): succeeds also for a revoked browser.
 * `current`: the browser sent the request, so the cookie can be cleared. `not_found` means a browser of another user or
 * an unknown id.
 */
export async function revokeOwnTrustedBrowser(
  deps: StoreDeps,
  input: RevokeInput,
): Promise<Result<{ readonly current: boolean }, Refusal<"not_found">>> {
  const { caller, id, client } = input;
  const known = await deps.database.run("trusted_browser.find", (sql) => findTrustedBrowser(sql, id, caller.userId));
  if (!known) return err(refusal("not_found", "There is no such trusted browser."));
  const at = new Date(deps.clock.now());
  await deps.database.run("trusted_browser.revoke", (sql) => {
    const audit = insertAudit(
      sql,
      userAuditEvent(deps, caller, client, {
        action: "auth.trusted_browser.revoked",
        at,
        resource: { type: "trusted_browser", id },
      }),
      sql`from revoked`,
    );
    return sql`with revoked as (${revokeTrustedBrowser(sql, id, caller.userId, at)}) ${audit}`;
  });
  const own = hashOpaqueToken(input.trustToken);
  return ok({ current: own !== undefined && known.equals(own) });
}
