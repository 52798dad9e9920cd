import type { Result } from "../../../base/result.ts";
import type { EmailDeps } from "../../../deps.ts";
import type { EmailContent } from "../../../models/email/email.ts";
import { normalizeEmail } from "../../../models/user/email-address.ts";
import { findSignInCandidate, type SignInCandidate } from "../../../models/user/sign-in-candidate.ts";
import { limitEmails } from "../email/limit-emails.ts";
import type { NotAdmitted } from "./admit-candidate.ts";
import { uniformResponseTime } from "./uniform-response-time.ts";

/** The look-up counts as one statement, the write as two. */
const STATEMENTS = 3;

/**
 * Sends an email to the address of an account that `admit` admits. Any other address, a malformed address and an
 * address over the limit get no email, after an equal time (G13). The response does not wait for the write, which only
 * an admitted address has; a failed write is therefore logged and not reported, while a failed look-up rejects for
 * every address alike. `email`: the unvalidated member of the body. `issueUnknown`: sends the email to an address
 * without an account, if given.
 */
export async function emailIfActive<Admitted>(
  deps: EmailDeps,
  kind: EmailContent["kind"],
  email: unknown,
  admit: (candidate: SignInCandidate | undefined) => Result<Admitted, NotAdmitted>,
  issue: (candidate: Admitted, at: Date) => Promise<unknown>,
  issueUnknown?: (address: string, at: Date) => Promise<unknown>,
): Promise<void> {
  const response = uniformResponseTime(deps.clock);
  const address = typeof email === "string" ? normalizeEmail(email) : undefined;
  if (address && (await limitEmails(deps, kind, address))) {
    if (!deps.background.hasRoom()) {
      deps.telemetry.metrics.boundRefused("background_work");
      throw new Error("too many emails are being written");
    }
    const at = new Date(deps.clock.now());
    const candidate = await deps.database.run("user.find_sign_in_candidate", (sql) =>
      findSignInCandidate(sql, { email: address }, { at }),
    );
    response.lookedUp(STATEMENTS);
    // The email goes to the given address, which may be an additional address of the user.
    const admitted = admit(candidate && { ...candidate, email: address });
    const send = admitted.ok ? () => issue(admitted.value, at) : !candidate && issueUnknown?.bind(null, address, at);
    if (send) {
      void deps.background.run(`mail.${kind}`, async () => {
        await send();
        deps.outbox.wake();
      });
    }
  }
  await response.wait();
}
