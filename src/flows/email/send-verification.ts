import type { ClientFacts } from "../../base/client-facts.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertLetter } from "../../models/letter/letter.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findCorrespondent } from "../../models/user/user.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { countMail } from "../steps/count-mail.ts";
import { verificationFor } from "../steps/verification.ts";

export type SendNeeds = Pick<Deps, "config" | "clock" | "random" | "database" | "state" | "sealing" | "outbox">;

/**
 * POST /v1/auth/email/send-verification (decisions, section 6): mails a link of 24 hours; the one of before is gone. Nothing
 * happens when the address is verified, or when five were sent in a quarter of an hour.
 */
export async function sendVerification(needs: SendNeeds, caller: SessionView, client: ClientFacts): Promise<void> {
  const user = await needs.database.run("user.find_correspondent", (sql) => findCorrespondent(sql, caller.userId));
  if (!user || user.emailVerified || !(await countMail(needs, "email_verification", user.email))) return;
  const at = new Date(needs.clock.now());
  const { token, letter } = verificationFor(needs, caller.userId, user, client, at);
  const entry = entryBy(needs, caller, client, { action: "auth.email.verification_requested", at });
  await needs.database.run(
    "mailed_token.issue",
    (sql) => sql`
      with fresh as (${replaceMailedToken(sql, token)}),
      letter as (${insertLetter(sql, letter)})
      ${insertAudit(sql, entry, sql``)}`,
  );
  needs.outbox.wake();
}
