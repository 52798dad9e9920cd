import type { RequestContext } from "../../../base/request-context.ts";
import type { EmailDeps } from "../../../deps.ts";
import { PASSWORD_RESET_LIFETIME_MS } from "../../../limits/credential-limits.ts";
import type { SealedEmail } from "../../../models/email/email.ts";
import { hashMailedToken, makeMailedToken, type NewMailedToken } from "../../../models/mailed-token/mailed-token.ts";
import type { Recipient } from "../../../models/user/user.ts";
import { composeEmail } from "./compose-email.ts";

/** Issues a link for a new password (docs/contract.md, section 12.3): the token to store and the e-mail. */
export function issuePasswordReset(
  deps: EmailDeps,
  userId: string,
  to: Recipient,
  client: RequestContext,
  at: Date,
): { readonly token: NewMailedToken; readonly mail: SealedEmail } {
  const token = makeMailedToken(deps.random);
  const link = `${deps.config.urls.publicBaseUrl}/reset-password?token=${token}`;
  const values = { link, minutes: PASSWORD_RESET_LIFETIME_MS / 60_000 };
  return {
    token: {
      purpose: "password_reset",
      userId,
      tokenHash: hashMailedToken(token),
      at,
      expiresAt: new Date(at.getTime() + PASSWORD_RESET_LIFETIME_MS),
    },
    mail: composeEmail(deps, to, client, { kind: "password_reset", values }, at),
  };
}
