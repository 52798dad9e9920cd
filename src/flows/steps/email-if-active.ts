import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../models/email/email.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { type AdmissibleCandidate, findSignInCandidate } from "../../models/user/user.ts";
import { limitEmails } from "./limit-emails.ts";
import { uniformAnswer } from "./uniform-answer.ts";

/** The look-up, the statement that writes, and room for one more of the kind. */
const STATEMENTS = 3;

/**
 * Mails to an address that belongs to an active account. Unknown, disabled, malformed and too often: the same answer in the same
 * time, and nothing happens (promise 13). The e-mail is nearly always stored by then; where PostgreSQL is slow to write, the answer does not
 * wait for it, since only a known address has anything to write. For the same reason a write that fails is logged and not told, while a
 * look-up that fails rejects for every address alike. `email`: whatever the client sent.
 */
export async function emailIfActive(
  deps: Pick<Deps, "config" | "clock" | "database" | "state" | "outbox" | "background">,
  kind: EmailContent["kind"],
  email: unknown,
  issue: (candidate: AdmissibleCandidate, at: Date) => Promise<unknown>,
): Promise<void> {
  const answer = uniformAnswer(deps.clock);
  const address = typeof email === "string" ? normalizeEmail(email) : undefined;
  if (address && (await limitEmails(deps, kind, address))) {
    if (!deps.background.hasRoom()) throw new Error("too many e-mails are being written");
    const at = new Date(deps.clock.now());
    const candidate = await deps.database.run("user.find_sign_in_candidate", (sql) =>
      findSignInCandidate(sql, { email: address }, { at }),
    );
    answer.lookedUp(STATEMENTS);
    const organizationId = candidate?.organizationId ?? null;
    if (candidate && !candidate.disabled && organizationId !== null) {
      void deps.background.run(`mail.${kind}`, async () => {
        await issue({ ...candidate, organizationId }, at);
        deps.outbox.wake();
      });
    }
  }
  await answer.wait();
}
