import { invalidFields } from "../../base/invalid-input.ts";
import { isOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { SignInDeps } from "../../deps.ts";
import { consumeMailedToken, findMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { confirmMailboxOwnership } from "../steps/credentials/confirm-mailbox-ownership.ts";
import { openReview } from "../steps/credentials/open-review.ts";
import { replacePasswordIn, validateNewPassword } from "../steps/credentials/replace-password.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";
import { hashPassword } from "../steps/sign-in/verify-password.ts";

export interface ResetInput {
  readonly token: string;
  readonly newPassword: string;
  readonly client: RequestContext;
}

const BAD_TOKEN = refusal("authentication_required", "The link is not valid any more. Ask for a new one.");
const PURPOSE = "password_reset";

export interface PasswordReset {
  /** The token of the review of what was set up before the reset; undefined: nothing is to be reviewed. */
  readonly reviewToken: string | undefined;
}

/**
 * POST /v1/auth/password/reset (docs/contract.md, section 12.4): the token of the emailed link replaces the password,
 * once, and ends all sessions of the user. The reset is a controlling proof; a later proof opens the review of section
 * 12.16. `authentication_required` means an unknown, used or expired token, `not_found` a deleted user.
 */
export async function resetPassword(
  deps: SignInDeps,
  input: ResetInput,
): Promise<Result<PasswordReset, Refusal<"authentication_required" | "invalid_input" | "not_found" | "rate_limited">>> {
  const plausible = await validateNewPassword(deps, "new_password", input.newPassword);
  if (!plausible.ok) return err(invalidFields([plausible.error]));
  const user = await findUser(deps, input.token);
  if (!user.ok) return user;
  const password = await validateNewPassword(deps, "new_password", input.newPassword, user.value);
  if (!password.ok) return err(invalidFields([password.error]));
  // The token is checked before the costly hash and consumed afterwards.
  const passwordHash = await hashPassword(deps, password.value, input.client.network);
  if (!passwordHash.ok) return passwordHash;
  return await persistPassword(deps, input, user.value, passwordHash.value);
}

interface ResettingUser extends SignInCandidate {
  /** The address of the email with the link. */
  readonly resetBy: string;
  /** The row of the address; undefined: the primary address. */
  readonly resetById: string | undefined;
  /** Whether a program received the link, in place of the mailbox. */
  readonly isTicket: boolean;
}

async function findUser(
  deps: SignInDeps,
  token: string,
): Promise<Result<ResettingUser, Refusal<"authentication_required" | "not_found">>> {
  if (!isOpaqueToken(token)) return err(BAD_TOKEN);
  const at = new Date(deps.clock.now());
  const found = await deps.database.run("mailed_token.find", (sql) =>
    findMailedToken(sql, PURPOSE, hashToken(token), at),
  );
  if (!found) return err(BAD_TOKEN);
  const { userId } = found;
  const user =
    userId &&
    (await deps.database.run("user.find_sign_in_candidate", (sql) => findSignInCandidate(sql, { userId }, { at })));
  if (!user) return err(refusal("not_found", "This account does not exist any more."));
  if (user.disabled) return err(BAD_TOKEN);
  const { email, emailId, isTicket } = found;
  return ok({ ...user, resetBy: email ?? user.email, resetById: emailId ?? undefined, isTicket });
}

async function persistPassword(
  deps: SignInDeps,
  { token, client }: ResetInput,
  user: ResettingUser,
  passwordHash: string,
): Promise<Result<PasswordReset, Refusal<"authentication_required">>> {
  const at = new Date(deps.clock.now());
  const notice = { kind: "password_changed", values: noticeDetails(client, at) } as const;
  const mail = composeEmail(deps, { to: user, mail: notice, tenants: undefined, client, at });
  const done = await deps.database.transaction("password.reset", async (sql) => {
    const [consumed] = await consumeMailedToken(sql, PURPOSE, hashToken(token), at);
    if (!consumed) return undefined;
    const action = "auth.password_reset.consumed";
    const first = user.passwordHash === null;
    const change = { actor: user, passwordHash, action, reason: "password_reset", first, client, mail, at } as const;
    const events = await replacePasswordIn(deps, sql, change);
    if (!events) return undefined;
    const { isTicket: isVouched, resetById: addressId } = user;
    const proof = { kind: "password_reset", addressId } as const;
    const ended = await confirmMailboxOwnership(deps, sql, { user, proof, isVouched, client, at });
    if (user.isMailboxOwner) {
      return { events, reviewToken: await openReview(deps, sql, { user, email: user.resetBy, client, at }) };
    }
    return { events: [...events, ...ended], reviewToken: undefined };
  });
  if (!done) return err(BAD_TOKEN);
  deps.outbox.wake();
  await deps.revocations.announce(done.events);
  return ok({ reviewToken: done.reviewToken });
}
