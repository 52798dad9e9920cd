import { invalidInput } from "../../base/invalid-input.ts";
import { isLocalPath } from "../../base/local-path.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { SignInDeps } from "../../deps.ts";
import { TICKET_LIFETIMES, type TicketPurpose } from "../../limits/ticket-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { isAddressHeld } from "../../models/credential-review/credential-review.ts";
import { replaceMailedToken } from "../../models/mailed-token/mailed-token.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { permitAddress } from "../steps/authorization/protected-users.ts";
import { type LinkTarget, makeLink, PASSWORD_RESET, VERIFICATION } from "../steps/email/issue-mailed-link.ts";
import { type AdministerUser, administerUnderLock, NO_SUCH_USER } from "../users/administer.ts";

export interface IssueTicket extends AdministerUser {
  readonly purpose: TicketPurpose;
  /** A path of the service to which the sign-in continues; for `sign_in` alone. */
  readonly redirectTo: string | undefined;
  /** Default: as in `TICKET_LIFETIMES`. */
  readonly expiresInSeconds: number | undefined;
}

/** The response is the only place that ever contains the URL. */
export interface IssuedTicket {
  readonly id: string;
  readonly purpose: TicketPurpose;
  readonly url: string;
  readonly expiresAt: Date;
}

const TARGETS: Readonly<Record<TicketPurpose, LinkTarget>> = {
  password_reset: PASSWORD_RESET,
  verify_email: VERIFICATION,
  sign_in: { purpose: "ticket", path: "/sign-in/ticket" },
};

const FOR_PROGRAMS = refusal("forbidden", "A program alone receives tickets.");
const IS_DISABLED = refusal("conflict", "This user is disabled, or the deletion of the user is pending.");
const IS_VERIFIED = refusal("conflict", "The email address of this user is confirmed already.");
const IS_HELD = refusal("conflict", "The primary address awaits the confirmation of the user after a reset.");
const NOT_ADMITTED = refusal("conflict", "No organization of this user admits a sign-in by a ticket.");

/**
 * POST /v1/admin/users/:id/tickets (docs/contract.md, section 36.6): a single-use link for a program, which delivers
 * the link in place of an email. The ticket replaces the former link of the user and purpose, and ends with the
 * credential of the program.
 */
export async function issueTicket(
  deps: SignInDeps,
  input: IssueTicket,
): Promise<Result<IssuedTicket, Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found">>> {
  const { caller, userId, purpose, redirectTo } = input;
  if (caller.role !== null) return err(FOR_PROGRAMS);
  const lifetime = lifetimeOf(input);
  if (!lifetime.ok) return lifetime;
  if (redirectTo !== undefined && !(purpose === "sign_in" && isLocalPath(redirectTo))) {
    return err(invalidInput("redirect_to", "format", "not a path of this service, for a sign-in"));
  }
  const id = deps.random.uuid();
  const at = new Date(deps.clock.now());
  const made = makeLink(deps, TARGETS[purpose], { userId, at, lifetimeMs: lifetime.value * 1000 });
  const ticket = { issuedBy: caller.credential.id, redirectTo: redirectTo ?? null };
  const entry = userAuditEvent(deps, caller.actor, input.client, {
    action: "user.ticket_issued",
    at,
    resource: { type: "user", id: userId },
    metadata: { purpose, ticket: id },
  });
  const guard = (sql: Sql) => permitTicket(deps, sql, input);
  const outcome = await administerUnderLock(deps, input, guard, async (sql) => {
    await sql`
      with issued as (${replaceMailedToken(sql, { ...made.token, ticket })})
      ${insertAudit(sql, entry, sql``)}`;
    return [];
  });
  if (!outcome.ok) return outcome;
  return ok({ id, purpose, url: made.link, expiresAt: made.token.expiresAt });
}

function lifetimeOf({ purpose, expiresInSeconds }: IssueTicket): Result<number, Refusal<"invalid_input">> {
  const { defaultSeconds, maxSeconds } = TICKET_LIFETIMES[purpose];
  if (expiresInSeconds === undefined) return ok(defaultSeconds);
  return expiresInSeconds <= maxSeconds
    ? ok(expiresInSeconds)
    : err(invalidInput("expires_in_seconds", "too_large", `more than ${maxSeconds} seconds for this purpose`));
}

/** The user under lock; `administerUnderLock` has refused users with a platform role. */
async function permitTicket(
  deps: SignInDeps,
  sql: Sql,
  { caller, userId, purpose }: IssueTicket,
): Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const at = new Date(deps.clock.now());
  // The address of the person who will use the ticket is unknown here.
  const user = await findSignInCandidate(sql, { userId }, { method: "ticket", at });
  if (!user) return err(NO_SUCH_USER);
  const reserved = permitAddress(deps, caller, user.email);
  if (!reserved.ok) return reserved;
  if (user.disabled) return err(IS_DISABLED);
  return await permitPurpose(sql, user, purpose);
}

async function permitPurpose(
  sql: Sql,
  { userId, email, emailVerified, organizationId }: SignInCandidate,
  purpose: TicketPurpose,
): Promise<Result<void, Refusal<"conflict">>> {
  switch (purpose) {
    case "password_reset":
      return (await isAddressHeld(sql, userId, email)) ? err(IS_HELD) : ok(undefined);
    case "verify_email":
      return emailVerified ? err(IS_VERIFIED) : ok(undefined);
    case "sign_in":
      return organizationId === null ? err(NOT_ADMITTED) : ok(undefined);
  }
}
