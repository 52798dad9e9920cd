import type { Deps } from "../../deps.ts";
import type { Letter } from "../../models/letter/letter.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { type AdmissibleCandidate, findSignInCandidate } from "../../models/user/user.ts";
import { countMail } from "./count-mail.ts";
import { uniformAnswerAt, waitUntil } from "./uniform-answer.ts";

/**
 * Mails to an address that belongs to an active account. Unknown, disabled, malformed and too often: the same answer in the same
 * time, and nothing happens (promise 13). `email`: whatever the client sent.
 */
export async function mailIfActive(
  needs: Pick<Deps, "config" | "clock" | "database" | "state" | "outbox">,
  kind: Letter["kind"],
  email: unknown,
  issue: (candidate: AdmissibleCandidate, at: Date) => Promise<unknown>,
): Promise<void> {
  const answerAt = uniformAnswerAt(needs.clock);
  const address = typeof email === "string" ? normalizeEmail(email) : undefined;
  if (address && (await countMail(needs, kind, address))) {
    const at = new Date(needs.clock.now());
    const candidate = await needs.database.run("user.find_sign_in_candidate", (sql) =>
      findSignInCandidate(sql, { email: address }, { at }),
    );
    const organizationId = candidate?.organizationId ?? null;
    if (candidate && !candidate.disabled && organizationId !== null) {
      await issue({ ...candidate, organizationId }, at);
      needs.outbox.wake();
    }
  }
  await waitUntil(needs.clock, answerAt);
}
