import { type Refusal, refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { EmailDeps } from "../../deps.ts";
import { isAddressHeld } from "../../models/credential-review/credential-review.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { findProfile, type Profile } from "../../models/user/profile.ts";
import { findRecipient, type Recipient } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { permitHolder, permitRank } from "../steps/authorization/protected-users.ts";
import { issueByEmail } from "../steps/email/issue-by-email.ts";
import { type IssueMailedLink, issuePasswordReset, issueVerification } from "../steps/email/issue-mailed-link.ts";
import { type AdministerUser, NO_SUCH_USER } from "./administer.ts";

const ALREADY_VERIFIED = refusal("conflict", "The email address of this user is confirmed already.");
const IS_DISABLED = refusal("conflict", "This user is disabled.");
const IS_HELD = refusal(
  "conflict",
  "The primary address awaits the confirmation of the user after a reset. The user resets by another address.",
);

const VERIFICATION = "auth.email.verification_requested";
const PASSWORD_RESET = "auth.password_reset.requested";

type Sent = Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found">>>;

/**
 * POST /v1/admin/users/:id/send-verification (docs/contract.md, section 14.12): emails a new link that confirms the
 * address, and replaces the previous link. The limits of emails to one address hold.
 */
export async function sendVerificationTo(deps: EmailDeps, input: AdministerUser): Sent {
  const target = await findTarget(deps, input);
  if (!target.ok) return target;
  const { profile, recipient } = target.value;
  if (profile.emailVerified) return err(ALREADY_VERIFIED);
  return await sendLink(deps, input, { to: recipient, issue: issueVerification, action: VERIFICATION });
}

/**
 * POST /v1/admin/users/:id/send-password-reset (docs/contract.md, section 14.13): emails a link for a new password and
 * replaces the previous link. The limits of emails to one address hold.
 */
export async function sendPasswordResetTo(deps: EmailDeps, input: AdministerUser): Sent {
  const target = await findTarget(deps, input);
  if (!target.ok) return target;
  const { profile, recipient } = target.value;
  if (profile.disabled) return err(IS_DISABLED);
  const { userId } = input;
  const isHeld = await deps.database.run("credential_review.is_address_held", (sql) =>
    isAddressHeld(sql, userId, recipient.email),
  );
  if (isHeld) return err(IS_HELD);
  return await sendLink(deps, input, { to: recipient, issue: issuePasswordReset, action: PASSWORD_RESET });
}

interface LinkOf {
  readonly to: Recipient;
  readonly issue: IssueMailedLink;
  readonly action: typeof VERIFICATION | typeof PASSWORD_RESET;
}

async function sendLink(
  deps: EmailDeps,
  { caller, userId, client }: AdministerUser,
  { to, issue, action }: LinkOf,
): Promise<Result<void, never>> {
  const at = new Date(deps.clock.now());
  const { token, mail } = issue(deps, { userId, to, tenants: undefined, client, at });
  const entry = userAuditEvent(deps, caller.actor, client, { action, at, resource: { type: "user", id: userId } });
  await issueByEmail(deps, "mailed_token.issue", { mail, entry }, (sql, queued) =>
    replaceMailedToken(sql, token, queued),
  );
  deps.outbox.wake();
  return ok(undefined);
}

/** The user, unless the user has a platform role above the role of the caller. */
async function findTarget(
  deps: Pick<EmailDeps, "config" | "database">,
  { caller, userId }: AdministerUser,
): Promise<Result<{ profile: Profile; recipient: Recipient }, Refusal<"forbidden" | "not_found">>> {
  if (!isUuid(userId)) return err(NO_SUCH_USER);
  const [profile, recipient] = await Promise.all([
    deps.database.run("user.find_profile", (sql) => findProfile(sql, userId)),
    deps.database.run("user.find_recipient", (sql) => findRecipient(sql, userId)),
  ]);
  if (!profile || !recipient) return err(NO_SUCH_USER);
  const ranked = permitRank(caller.role, profile.platformRole);
  if (!ranked.ok) return ranked;
  const unreserved = await deps.database.run("user.permit_holder", (sql) => permitHolder(deps, sql, caller, userId));
  return unreserved.ok ? ok({ profile, recipient }) : unreserved;
}
