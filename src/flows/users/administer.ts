import { type ProblemCode, type Refusal, refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { decideInTransaction } from "../../database/decide.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps, SessionDeps, SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { clearAllFailedAttempts } from "../../models/failed-attempt/failed-attempt.ts";
import { deleteRecoveryCodes } from "../../models/recovery-code/recovery-code.ts";
import { lockLiveSessions, type RevocationReason, type SessionEvent } from "../../models/session/revocation.ts";
import { listLiveSessions, type SessionListItem } from "../../models/session/session.ts";
import { findSessionDevice, reachesSession } from "../../models/session/user-sessions.ts";
import { deleteAnyTotpFactor } from "../../models/totp/totp.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import {
  type AdministeredUser,
  findAdministeredUser,
  findUserByExternalId,
} from "../../models/user/administered-user.ts";
import { hasOtherPlatformOwner } from "../../models/user/closing-user.ts";
import { findPlatformRoleOf, lockPlatformRole } from "../../models/user/platform-role.ts";
import { findProfile, type Profile } from "../../models/user/profile.ts";
import { clearPasswordGuesses, findRecipient, renewCredentialsEpoch } from "../../models/user/user.ts";
import { keepBreakGlass } from "../steps/accounts/keep-break-glass.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { permitHolder, permitRank } from "../steps/authorization/protected-users.ts";
import { composeEmail, noticeDetails } from "../steps/email/compose-email.ts";
import { endSessionsIn, tokensLiveSince } from "../steps/sessions/end-sessions.ts";
import { endApplicationsRecorded } from "../steps/sessions/end-user-access.ts";
import { isExternalId } from "./account-fields.ts";

/** One user, for the console. `_caller`: a Viewer or higher. */
export async function readUser(
  deps: Pick<Deps, "database">,
  _caller: PlatformCaller,
  userId: string,
): Promise<Result<Profile, Refusal<"not_found">>> {
  const profile = isUuid(userId)
    ? await deps.database.run("user.find_profile", (sql) => findProfile(sql, userId))
    : undefined;
  return profile ? ok(profile) : err(NO_SUCH_USER);
}

/** GET /v1/admin/users/:id: one user, with the members for administrators. `_caller`: holds `users.read`. */
export async function readAdministeredUser(
  deps: Pick<Deps, "database">,
  _caller: PlatformCaller,
  userId: string,
): Promise<Result<AdministeredUser, Refusal<"not_found">>> {
  const user = await deps.database.run("user.find_administered", (sql) => findAdministeredUser(sql, userId));
  return user ? ok(user) : err(NO_SUCH_USER);
}

/** GET /v1/admin/users/by-external-id/:external_id: any text that is no external id finds no user. */
export async function readUserByExternalId(
  deps: Pick<Deps, "database">,
  _caller: PlatformCaller,
  externalId: string,
): Promise<Result<AdministeredUser, Refusal<"not_found">>> {
  if (!isExternalId(externalId)) return err(NO_SUCH_USER);
  const user = await deps.database.run("user.find_by_external_id", (sql) => findUserByExternalId(sql, externalId));
  return user ? ok(user) : err(NO_SUCH_USER);
}

/** The live sessions of a user, newest first, for the console. */
export async function listSessionsOf(
  deps: Pick<Deps, "reads" | "clock">,
  { caller, userId, page }: { readonly caller: PlatformCaller; readonly userId: string; readonly page: Page },
): Promise<Listing<SessionListItem>> {
  const at = new Date(deps.clock.now());
  const found = await deps.reads.run("session.list_live", caller.reader, (sql) =>
    listLiveSessions(sql, { userId }, at, pageBounds(page)),
  );
  return { ...page, ...found };
}

export interface AdministerUser {
  /** Holds the permission of the change. */
  readonly caller: PlatformCaller;
  readonly userId: string;
  readonly client: RequestContext;
}

const NO_SUCH_SESSION = refusal("not_found", "There is no such session.");
export const NO_SUCH_USER = refusal("not_found", "There is no such user.");

const LAST_PLATFORM_OWNER = {
  ...refusal("conflict", "The last owner of the platform cannot be disabled."),
  reason: "last_platform_owner",
} as const;

/** The platform keeps an owner, and organizations keep emergency access. */
export async function permitDisabling(sql: Sql, userId: string): Promise<Result<void, Refusal<"conflict">>> {
  const role = await findPlatformRoleOf(sql, userId);
  if (role === "owner" && !(await hasOtherPlatformOwner(sql, userId))) return err(LAST_PLATFORM_OWNER);
  return await keepBreakGlass(sql, userId, "account");
}

/**
 * POST /v1/admin/users/:id/mfa/reset (docs/contract.md, section 14.7): deletes the TOTP factor and the recovery codes,
 * clears what counted against the account, ends trusted browsers, sessions and the tokens of connected applications,
 * including offline tokens, and notifies the user by email.
 */
export async function resetUserMfa(
  deps: SignInDeps,
  input: AdministerUser,
): Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found">>> {
  const { userId, client } = input;
  const guard = (sql: Sql) => keepBreakGlass(sql, userId, "totp");
  const outcome = await administerUnderLock(deps, input, guard, async (sql, at) => {
    const notice = { kind: "mfa_reset" as const, values: noticeDetails(client, at) };
    const user = await findRecipient(sql, userId);
    if (!user) throw new Error("the user row disappeared while it was locked");
    const mail = composeEmail(deps, { to: user, mail: notice, tenants: undefined, client, at });
    const entry = administrationAuditEvent(deps, input, "mfa.reset", at);
    await clearPasswordGuesses(sql, userId, at);
    await sql`
      with factor as (${deleteAnyTotpFactor(sql, userId)}),
      person as (${renewCredentialsEpoch(sql, userId, at)}),
      codes as (${deleteRecoveryCodes(sql, userId)}),
      browsers as (${endTrustedBrowsers(sql, userId, at)}),
      misses as (${clearAllFailedAttempts(sql, userId)}),
      email as (${insertEmail(sql, mail)})
      ${insertAudit(sql, entry, sql``)}`;
    const applications = { actor: input.caller.actor, userId, reason: "mfa_reset", client } as const;
    const sessions = await endAllSessions(deps, sql, input, "mfa_reset");
    return [...sessions, ...(await endApplicationsRecorded(deps, sql, applications))];
  });
  if (!outcome.ok) return outcome;
  deps.outbox.wake();
  return ok(undefined);
}

/** Ends all sessions of a user, for the console; the account stays unchanged. */
export async function endSessionsOf(
  deps: SessionDeps,
  input: AdministerUser,
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  return await administerUnderLock(deps, input, permitted, (sql) =>
    endAllSessions(deps, sql, input, "administrator_request"),
  );
}

/** The device of a session, live or not, for the confirmation; undefined for the session of another user. */
export async function findSessionOf(
  deps: Pick<Deps, "database">,
  { userId, sessionId }: { readonly caller: PlatformCaller; readonly userId: string; readonly sessionId: string },
): Promise<{ readonly userAgent: string | null } | undefined> {
  return await deps.database.run("session.find_device", (sql) => findSessionDevice(sql, sessionId, userId));
}

/** Ends one session of a user, for the console. `not_found` covers the sessions of other users. */
export async function endSessionOf(
  deps: SessionDeps,
  { sessionId, ...input }: AdministerUser & { readonly sessionId: string },
): Promise<Result<void, Refusal<"forbidden" | "not_found">>> {
  const { userId } = input;
  const owned = await deps.database.run("session.owns", (sql) => reachesSession(sql, sessionId, { userId }));
  if (!owned) return err(NO_SUCH_SESSION);
  return await administerUnderLock(deps, input, permitted, (sql) => endSessions(deps, sql, input, [sessionId]));
}

/** The guard of a change without further conditions. */
export async function permitted(): Promise<Result<void, never>> {
  return ok(undefined);
}

/**
 * Runs `work` on a user whose platform role is not above the caller's, and for a program not on the initial owner, if
 * `guard` permits. The role is read under lock,
 * which waits for a promotion in progress. `lockFurther` locks the rows that `work` needs beside the user, before the
 * lock of the user. Work that throws `RolledBack` is undone. After the commit, announces the sessions that `work`
 * revoked.
 */
export async function administerUnderLock<Problem extends ProblemCode = never>(
  deps: SessionDeps,
  { caller, userId }: AdministerUser,
  guard: (sql: Sql) => Promise<Result<void, Refusal<Problem>>>,
  work: (sql: Sql, at: Date) => Promise<readonly SessionEvent[]>,
  lockFurther: (sql: Sql) => Promise<void> = async () => {},
): Promise<Result<void, Refusal<Problem | "forbidden" | "not_found">>> {
  type Outcome = Result<readonly SessionEvent[], Refusal<Problem | "forbidden" | "not_found">>;
  const outcome = await decideInTransaction(deps.database, "user.administer", async (sql): Promise<Outcome> => {
    await lockFurther(sql);
    const target = await lockPlatformRole(sql, userId);
    if (!target) return err(NO_SUCH_USER);
    const ranked = permitRank(caller.role, target.role);
    if (!ranked.ok) return ranked;
    const unreserved = await permitHolder(deps, sql, caller, userId);
    if (!unreserved.ok) return unreserved;
    const allowed = await guard(sql);
    return allowed.ok ? ok(await work(sql, new Date(deps.clock.now()))) : allowed;
  });
  if (!outcome.ok) return outcome;
  await deps.revocations.announce(outcome.value);
  return ok(undefined);
}

function administrationAuditEvent(
  deps: Pick<Deps, "random">,
  { caller, userId, client }: AdministerUser,
  action: "mfa.reset",
  at: Date,
) {
  return userAuditEvent(deps, caller.actor, client, { action, at, resource: { type: "user", id: userId } });
}

export async function endAllSessions(
  deps: SessionDeps,
  sql: Sql,
  input: AdministerUser,
  reason: RevocationReason,
): Promise<readonly SessionEvent[]> {
  const sessionIds = await lockLiveSessions(sql, { userId: input.userId }, undefined, tokensLiveSince(deps));
  return await endSessions(deps, sql, input, sessionIds, reason);
}

async function endSessions(
  deps: SessionDeps,
  sql: Sql,
  { caller, userId, client }: AdministerUser,
  sessionIds: readonly string[],
  reason: RevocationReason = "administrator_request",
): Promise<readonly SessionEvent[]> {
  const end = { userId, actor: caller.actor, reason, auditAction: "auth.session.revoked", client } as const;
  return await endSessionsIn(deps, sql, sessionIds, end);
}
