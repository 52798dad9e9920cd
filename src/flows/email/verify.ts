import type { ClientFacts } from "../../base/client-facts.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { consumeMailedToken, hashMailedToken, isMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { markEmailVerified } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { grantInitialOwner } from "../steps/grant-initial-owner.ts";

export type VerifyDeps = Pick<Deps, "config" | "clock" | "random" | "database">;

export interface VerifyInput {
  readonly token: string;
  readonly client: ClientFacts;
}

interface Verified {
  readonly userId: string;
  readonly email: string;
}

/**
 * POST /v1/auth/email/verify (decisions, section 6): the token of the mailed link proves the address, once. Refuses with
 * `invalid_input` for what can be no token, `authentication_required` for one that is unknown, used or expired.
 */
export async function verifyEmail(deps: VerifyDeps, { token, client }: VerifyInput): Promise<Result<void>> {
  if (!isMailedToken(token)) return err(refusal("invalid_input", "token: not one of this service"));
  const at = new Date(deps.clock.now());
  const [verified] = await deps.database.run("user.verify_email", (sql) => {
    const entry = userAuditEvent(deps, undefined, client, { action: "auth.email.verified", at });
    const audit = insertAudit(
      sql,
      {
        ...entry,
        organizationId: sql`verified.last_organization_id`,
        actorId: sql`verified.id`,
        resourceId: sql`verified.id`,
      },
      sql`from verified`,
    );
    return sql<Verified[]>`
      with consumed as (${consumeMailedToken(sql, "email_verification", hashMailedToken(token), at)}),
      verified as (${markEmailVerified(sql, at, sql`from consumed`)}),
      audit as (${audit})
      select id as "userId", email from verified`;
  });
  if (!verified) return err(refusal("authentication_required", "The link is not valid any more."));
  await grantInitialOwner(deps, verified.email);
  return ok(undefined);
}
