import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../models/email/email.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { type AdmissibleCandidate, findSignInCandidate } from "../../models/user/user.ts";
import { limitEmails } from "./limit-emails.ts";
import { uniformAnswerAt, waitUntil } from "./uniform-answer.ts";

/**
 * Mails to an address that belongs to an active account. Unknown, disabled, malformed and too often: the same answer in the same
 * time, and nothing happens (promise 13). `email`: whatever the client sent.
 */
export async function emailIfActive(
  deps: Pick<Deps, "config" | "clock" | "database" | "state" | "outbox">,
  kind: EmailContent["kind"],
  email: unknown,
  issue: (candidate: AdmissibleCandidate, at: Date) => Promise<unknown>,
): Promise<void> {
  const answerAt = uniformAnswerAt(deps.clock);
  const address = typeof email === "string" ? normalizeEmail(email) : undefined;
  if (address && (await limitEmails(deps, kind, address))) {
    const at = new Date(deps.clock.now());
    const candidate = await deps.database.run("user.find_sign_in_candidate", (sql) =>
      findSignInCandidate(sql, { email: address }, { at }),
    );
    const organizationId = candidate?.organizationId ?? null;
    if (candidate && !candidate.disabled && organizationId !== null) {
      await issue({ ...candidate, organizationId }, at);
      deps.outbox.wake();
    }
  }
  await waitUntil(deps.clock, answerAt);
}
