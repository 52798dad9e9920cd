/** Password and address of a user, set by an administrator or a program (docs/contract.md, section 36.2). */
import { invalidFields, invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Sql, violatedConstraint } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { deleteEmailCode } from "../../models/email-code/email-code.ts";
import { clearAllFailedAttempts } from "../../models/failed-attempt/failed-attempt.ts";
import { deleteAllMailedTokens } from "../../models/mailed-token/mailed-token.ts";
import { logChangeOfUser, type SessionEvent } from "../../models/session/revocation.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { type AdministeredUser, findAdministeredUser } from "../../models/user/administered-user.ts";
import { malformedEmail, normalizeEmail } from "../../models/user/email-address.ts";
import { changePassword, findRecipient, markUserVerified } from "../../models/user/user.ts";
import { isAddressConstraint } from "../../models/user/user-address.ts";
import { markVouched } from "../../models/user-email/vouched-address.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { permitAddress } from "../steps/authorization/protected-users.ts";
import { validateNewPassword } from "../steps/credentials/replace-password.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";
import { EMAIL_VERIFIED } from "../steps/email/issue-mailed-link.ts";
import { tokensDeadAt } from "../steps/sessions/end-sessions.ts";
import { hashPasswordFor } from "../steps/sign-in/verify-password.ts";
import { permitReplacement, replaceAddressIn } from "../user-emails/replace-address.ts";
import { passwordFlaw } from "./account-fields.ts";
import { type AdministerUser, administerUnderLock, endAllSessions, NO_SUCH_USER, permitted } from "./administer.ts";
import { EMAIL_TAKEN } from "./create.ts";

export interface ReplacePassword extends AdministerUser {
  readonly password: string | undefined;
  /** A hash of another service, in a form of `users import`. */
  readonly passwordHash: string | undefined;
}

const ONE_OF = invalidInput("password", "required", "a password or password_hash is required");

/**
 * PUT /v1/admin/users/:id/password: sets the password, ends sessions, trusted browsers, links and codes of the user,
 * and notifies the user by email.
 */
export async function replacePassword(
  deps: SignInDeps,
  input: ReplacePassword,
): Promise<Result<void, Refusal<"forbidden" | "invalid_input" | "not_found" | "rate_limited">>> {
  const flaw = passwordFlaw(input);
  if (flaw) return err(invalidFields([flaw]));
  if (input.password === undefined && input.passwordHash === undefined) return err(ONE_OF);
  // The user and the rank of the caller come before the costly hash.
  const reached = await administerUnderLock(deps, input, permitted, async () => []);
  if (!reached.ok) return reached;
  const hash = await storedHashOf(deps, input);
  if (!hash.ok) return hash;
  const outcome = await administerUnderLock(deps, input, permitted, (sql, at) =>
    storePassword(deps, sql, input, hash.value, at),
  );
  if (outcome.ok) deps.outbox.wake();
  return outcome;
}

async function storedHashOf(
  deps: SignInDeps,
  { userId, password, passwordHash, client }: ReplacePassword,
): Promise<Result<string, Refusal<"invalid_input" | "rate_limited">>> {
  if (passwordHash !== undefined) return ok(passwordHash);
  const valid = await validateNewPassword(deps, "password", password ?? "", { userId });
  if (!valid.ok) return err(invalidFields([valid.error]));
  return await hashPasswordFor(deps, valid.value, client);
}

async function storePassword(
  deps: SignInDeps,
  sql: Sql,
  input: ReplacePassword,
  passwordHash: string,
  at: Date,
): Promise<readonly SessionEvent[]> {
  const { caller, userId, client } = input;
  const to = await findRecipient(sql, userId);
  if (!to) throw new Error("the user row disappeared while it was locked");
  const notice = { kind: "password_changed" as const, values: noticeDetails(client, at) };
  const mail = composeEmail(deps, { to, mail: notice, tenants: undefined, client, at });
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "user.password_replaced",
    at,
    resource: { type: "user", id: userId },
    metadata: { form: input.passwordHash === undefined ? "password" : "hash" },
  });
  await sql`
    with changed as (${changePassword(sql, userId, passwordHash, undefined, at)}),
    browsers as (${endTrustedBrowsers(sql, userId, at)}),
    codes as (${deleteEmailCode(sql, userId)}),
    links as (${deleteAllMailedTokens(sql, userId)}),
    misses as (${clearAllFailedAttempts(sql, userId)}),
    email as (${insertEmail(sql, mail)})
    ${insertAudit(sql, entry, sql`from changed`)}`;
  return await endAllSessions(deps, sql, input, "password_changed");
}

export interface ReplaceEmail extends AdministerUser {
  readonly email: string;
  readonly verified: boolean;
}

/** PUT /v1/admin/users/:id/email: replaces the primary address. For the present address, the verification alone. */
export async function replaceEmail(
  deps: SignInDeps,
  input: ReplaceEmail,
): Promise<Result<AdministeredUser, Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">>> {
  const email = normalizeEmail(input.email);
  if (email === undefined) return err(malformedEmail("email", input.email));
  const { caller, userId, verified, client } = input;
  const reserved = permitAddress(deps, caller, email);
  if (!reserved.ok) return reserved;
  let before: AdministeredUser | undefined;
  const guard = async (sql: Sql): Promise<Result<void, Refusal<"conflict" | "forbidden">>> => {
    before = await findAdministeredUser(sql, userId);
    if (!before || before.email === email) return ok(undefined);
    const at = new Date(deps.clock.now());
    return await permitReplacement(sql, { userId, managedBy: before.managedBy, email, at });
  };
  const outcome = await refuseTakenAddress(() =>
    administerUnderLock(deps, input, guard, async (sql, at) => {
      if (!before) return [];
      if (before.email === email) return await verifyAddress(deps, sql, input, before, at);
      const { managedBy } = before;
      return await replaceAddressIn(deps, sql, { actor: caller.actor, userId, managedBy, email, verified, client, at });
    }),
  );
  if (!outcome.ok) return outcome;
  deps.outbox.wake();
  const user = await deps.database.run("user.find_administered", (sql) => findAdministeredUser(sql, userId));
  return user ? ok(user) : err(NO_SUCH_USER);
}

/** The caller vouches for the present address: the address is verified, without a proof of control. */
async function verifyAddress(
  deps: SignInDeps,
  sql: Sql,
  { caller, userId, verified, client }: ReplaceEmail,
  before: AdministeredUser,
  at: Date,
): Promise<readonly SessionEvent[]> {
  if (!verified || before.emailVerified) return [];
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "user.updated",
    at,
    resource: { type: "user", id: userId },
    metadata: { fields: "email_verified" },
  });
  await sql`
    with verified as (${markUserVerified(sql, userId, at, sql``)})
    ${insertAudit(sql, entry, sql`from verified`)}`;
  await markVouched(sql, userId, before.email);
  return await logChangeOfUser(sql, userId, EMAIL_VERIFIED, at, tokensDeadAt(deps, at));
}

/** Runs a change of an address; another user may have taken the address meanwhile. */
export async function refuseTakenAddress<T, E>(
  work: () => Promise<Result<T, E>>,
): Promise<Result<T, E | Refusal<"conflict">>> {
  try {
    return await work();
  } catch (error) {
    if (isAddressConstraint(violatedConstraint(error))) return err(EMAIL_TAKEN);
    throw error;
  }
}
