/** The passing on of a set-up link to another person (docs/contract.md, section 29.51). */
import { makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { passSetupLinkOn } from "../../../models/setup-link/setup-link.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { NO_SETUP_LINK } from "../../steps/authorization/authorize-setup-link.ts";
import type { SetupInput } from "./connection.ts";
import { setupLinkUrl } from "./create.ts";

/** A link that waits again, for another browser. */
export interface PassedOnLink {
  /** Only in this response; the table stores a hash of the token. */
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Gives a begun link a new token and takes the access of the calling browser away: the link works in one browser at a
 * time, with the same tasks, connection and end. The former token and cookie are worth nothing afterwards.
 */
export async function passLinkOn(
  deps: StoreDeps,
  { setup: { caller, link }, client }: SetupInput,
): Promise<Result<PassedOnLink, Refusal<"authentication_required">>> {
  const token = makeOpaqueToken(deps.random);
  const at = new Date(deps.clock.now());
  const resource = { type: "setup_link", id: link.id } as const;
  const entry = userAuditEvent(deps, caller.actor, client, { action: "sso.setup_link.passed_on", at, resource });
  const passed = await deps.database.run(
    "setup_link.pass_on",
    (sql) => sql`
      with passed as (${passSetupLinkOn(sql, link.id, token, at)}),
      audit as (${insertAudit(sql, entry, sql`from passed`)})
      select id from passed`,
  );
  if (passed.length === 0) return err(NO_SETUP_LINK);
  return ok({ url: setupLinkUrl(deps, token), expiresAt: link.expiresAt });
}
