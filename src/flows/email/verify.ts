import type { ClientFacts } from "../../base/client-facts.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { hashMailedToken, isMailedToken, takeMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { markEmailVerified } from "../../models/user/user.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { grantInitialOwner } from "../steps/grant-initial-owner.ts";

export type VerifyNeeds = Pick<Deps, "config" | "clock" | "random" | "database">;

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
export async function verifyEmail(needs: VerifyNeeds, { token, client }: VerifyInput): Promise<Result<void>> {
  if (!isMailedToken(token)) return refuse(problem("invalid_input", "token: not one of this service"));
  const at = new Date(needs.clock.now());
  const [verified] = await needs.database.run("user.verify_email", (sql) => {
    const entry = entryBy(needs, undefined, client, { action: "auth.email.verified", at });
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
      with taken as (${takeMailedToken(sql, "email_verification", hashMailedToken(token), at)}),
      verified as (${markEmailVerified(sql, at, sql`from taken`)}),
      audit as (${audit})
      select id as "userId", email from verified`;
  });
  if (!verified) return refuse(problem("authentication_required", "The link is not valid any more."));
  await grantInitialOwner(needs, verified.email);
  return ok(undefined);
}
