import type { ClientFacts } from "../../base/client-facts.ts";
import { PASSWORD_RESET_LIFETIME_MS } from "../../base/limits.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertLetter } from "../../models/letter/letter.ts";
import { hashMailedToken, makeMailedToken, replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import type { AdmissibleCandidate } from "../../models/user/user.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { mailIfActive } from "../steps/mail-if-active.ts";
import { writeLetter } from "../steps/write-letter.ts";

export type ForgotNeeds = Pick<Deps, "config" | "clock" | "random" | "database" | "state" | "sealing" | "outbox">;

export interface ForgotInput {
  /** Whatever the client sent as the address. */
  readonly email: unknown;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/password/forgot (contract, section 4.6): mails a link with a token of one hour to a registered, active account; the
 * token of before is gone. Anything else is answered alike, and nothing happens.
 */
export async function forgotPassword(needs: ForgotNeeds, { email, client }: ForgotInput): Promise<void> {
  await mailIfActive(needs, "password_reset", email, (candidate, at) => issue(needs, client, candidate, at));
}

async function issue(needs: ForgotNeeds, client: ClientFacts, candidate: AdmissibleCandidate, at: Date): Promise<void> {
  const token = makeMailedToken(needs.random);
  const fresh = {
    purpose: "password_reset" as const,
    userId: candidate.userId,
    tokenHash: hashMailedToken(token),
    at,
    expiresAt: new Date(at.getTime() + PASSWORD_RESET_LIFETIME_MS),
  };
  const link = `${needs.config.urls.publicBaseUrl}/reset-password?token=${token}`;
  const values = { link, minutes: PASSWORD_RESET_LIFETIME_MS / 60_000 };
  const letter = writeLetter(needs, candidate, client, { kind: "password_reset", values }, at);
  const entry = entryBy(needs, candidate, client, { action: "auth.password_reset.requested", at });
  await needs.database.run(
    "mailed_token.issue",
    (sql) => sql`
      with fresh as (${replaceMailedToken(sql, fresh)}),
      letter as (${insertLetter(sql, letter)})
      ${insertAudit(sql, entry, sql``)}`,
  );
}
