import type { ClientFacts } from "../../base/client-facts.ts";
import { EMAIL_CODE_LIFETIME_MS } from "../../base/limits.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { hashEmailCode, makeEmailCode, replaceEmailCode } from "../../models/email-code/email-code.ts";
import { insertLetter, sealLetter } from "../../models/letter/letter.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/user.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { countMail } from "../steps/count-mail.ts";
import { uniformAnswerAt, waitUntil } from "../steps/uniform-answer.ts";

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
 * POST /v1/auth/email-otp/request (contract, section 4.4): mails a code of six digits to a registered, active account; the codes of
 * before are wiped. Unknown, disabled, malformed and too often: the same answer in the same time, and nothing happens.
 */
export async function requestEmailCode(needs: RequestNeeds, input: RequestInput): Promise<void> {
  const answerAt = uniformAnswerAt(needs.clock);
  const email = typeof input.email === "string" ? normalizeEmail(input.email) : undefined;
  if (email && (await countMail(needs, "email_code", email))) {
    const at = new Date(needs.clock.now());
    const candidate = await needs.database.run("user.find_sign_in_candidate", (sql) =>
      findSignInCandidate(sql, { email }, { at }),
    );
    if (candidate && !candidate.disabled && candidate.organizationId) await issue(needs, input, candidate, at);
  }
  await waitUntil(needs.clock, answerAt);
}

/** One statement: the new code in place of the old one, its letter, its audit row. */
async function issue(
  needs: RequestNeeds,
  { client }: RequestInput,
  candidate: SignInCandidate,
  at: Date,
): Promise<void> {
  const { userId } = candidate;
  const id = needs.random.uuid();
  const code = makeEmailCode(needs.random);
  const expiresAt = new Date(at.getTime() + EMAIL_CODE_LIFETIME_MS);
  const fresh = { id, userId, codeHash: hashEmailCode(needs.codeKey, id, code), at, expiresAt };
  const letter = sealLetter(
    needs,
    {
      to: candidate.email,
      name: candidate.displayName,
      locale: candidate.locale ?? client.locale,
      letter: { kind: "email_code", values: { code, minutes: EMAIL_CODE_LIFETIME_MS / 60_000 } },
    },
    at,
  );
  await needs.database.run("email_code.issue", (sql) => {
    const audit = insertAudit(
      sql,
      entryBy(needs, candidate, client, { action: "auth.email_otp.requested", at }),
      sql``,
    );
    return sql`
      with fresh as (${replaceEmailCode(sql, fresh)}),
      letter as (${insertLetter(sql, letter)})
      ${audit}`;
  });
  needs.outbox.wake();
}
