import type { ClientFacts } from "../../base/client-facts.ts";
import { EMAIL_CODE_LIFETIME_MS } from "../../base/limits.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { hashEmailCode, makeEmailCode, replaceEmailCode } from "../../models/email-code/email-code.ts";
import { insertLetter } from "../../models/letter/letter.ts";
import type { AdmissibleCandidate } from "../../models/user/user.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { mailIfActive } from "../steps/mail-if-active.ts";
import { writeLetter } from "../steps/write-letter.ts";

export type RequestNeeds = Pick<
  Deps,
  "config" | "clock" | "random" | "database" | "state" | "sealing" | "codeKey" | "outbox"
>;

export interface RequestInput {
  /** Whatever the client sent as the address. */
  readonly email: unknown;
  readonly client: ClientFacts;
}

/**
 * POST /v1/auth/email-otp/request (contract, section 4.4): mails a code of six digits to a registered, active account; the code of
 * before is wiped. Anything else is answered alike, and nothing happens.
 */
export async function requestEmailCode(needs: RequestNeeds, { email, client }: RequestInput): Promise<void> {
  await mailIfActive(needs, "email_code", email, (candidate, at) => issue(needs, client, candidate, at));
}

/** One statement: the new code in place of the old one, its letter, its audit row. */
async function issue(
  needs: RequestNeeds,
  client: ClientFacts,
  candidate: AdmissibleCandidate,
  at: Date,
): Promise<void> {
  const { userId } = candidate;
  const id = needs.random.uuid();
  const code = makeEmailCode(needs.random);
  const expiresAt = new Date(at.getTime() + EMAIL_CODE_LIFETIME_MS);
  const fresh = { id, userId, codeHash: hashEmailCode(needs.codeKey, id, code), at, expiresAt };
  const values = { code, minutes: EMAIL_CODE_LIFETIME_MS / 60_000 };
  const letter = writeLetter(needs, candidate, client, { kind: "email_code", values }, at);
  const entry = entryBy(needs, candidate, client, { action: "auth.email_otp.requested", at });
  await needs.database.run(
    "email_code.issue",
    (sql) => sql`
      with fresh as (${replaceEmailCode(sql, fresh)}),
      letter as (${insertLetter(sql, letter)})
      ${insertAudit(sql, entry, sql``)}`,
  );
}
