import type { RequestContext } from "../../../base/request-context.ts";
import type { EmailDeps } from "../../../deps.ts";
import { EMAIL_VERIFICATION_LIFETIME_MS } from "../../../limits/credential-limits.ts";
import type { SealedEmail } from "../../../models/email/email.ts";
import { hashMailedToken, makeMailedToken, type NewMailedToken } from "../../../models/mailed-token/mailed-token.ts";
import type { Recipient } from "../../../models/user/user.ts";
import { composeEmail } from "./compose-email.ts";

/** The reason of the session events that invalidate cached views after an address was verified. */
export const EMAIL_VERIFIED = "email_verified";

/** Issues a link that verifies an address (docs/contract.md, section 12.1): the token to store and the e-mail. */
export function issueVerification(
  deps: EmailDeps,
  userId: string,
  to: Recipient,
  client: RequestContext,
  at: Date,
): { readonly token: NewMailedToken; readonly mail: SealedEmail } {
  const token = makeMailedToken(deps.random);
  const link = `${deps.config.urls.publicBaseUrl}/verify-email?token=${token}`;
  const values = { link, hours: EMAIL_VERIFICATION_LIFETIME_MS / 3_600_000 };
  return {
    token: {
      purpose: "email_verification",
      userId,
      tokenHash: hashMailedToken(token),
      at,
      expiresAt: new Date(at.getTime() + EMAIL_VERIFICATION_LIFETIME_MS),
    },
    mail: composeEmail(deps, to, client, { kind: "email_verification", values }, at),
  };
}
