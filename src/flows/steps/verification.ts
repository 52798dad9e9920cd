import type { ClientFacts } from "../../base/client-facts.ts";
import { EMAIL_VERIFICATION_LIFETIME_MS } from "../../base/limits.ts";
import type { Deps } from "../../deps.ts";
import type { SealedLetter } from "../../models/letter/letter.ts";
import { hashMailedToken, makeMailedToken, type NewMailedToken } from "../../models/mailed-token/mailed-token.ts";
import type { Correspondent } from "../../models/user/user.ts";
import { writeLetter } from "./write-letter.ts";

/** A fresh link that proves an address (decisions, section 6): the token to store, and the letter that carries it. */
export function verificationFor(
  needs: Pick<Deps, "config" | "random" | "sealing">,
  userId: string,
  to: Correspondent,
  client: ClientFacts,
  at: Date,
): { readonly token: NewMailedToken; readonly letter: SealedLetter } {
  const token = makeMailedToken(needs.random);
  const link = `${needs.config.urls.publicBaseUrl}/verify-email?token=${token}`;
  const values = { link, hours: EMAIL_VERIFICATION_LIFETIME_MS / 3_600_000 };
  return {
    token: {
      purpose: "email_verification",
      userId,
      tokenHash: hashMailedToken(token),
      at,
      expiresAt: new Date(at.getTime() + EMAIL_VERIFICATION_LIFETIME_MS),
    },
    letter: writeLetter(needs, to, client, { kind: "email_verification", values }, at),
  };
}
