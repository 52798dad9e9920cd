import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { cte, withParts } from "../../../database/statement.ts";
import type { SignInDeps } from "../../../deps.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";
import { grantColumns, type RolesOfMember } from "../../../models/conditions/member-grants.ts";
import { hasExcessSessions, type SessionShare } from "../../../models/session/excess.ts";
import { insertSession, type Session, type SessionBinding } from "../../../models/session/session.ts";
import type { Recipient } from "../../../models/user/user.ts";
import type { AssuranceLevel, FirstFactor } from "../../../vocabulary/assurance.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import type { SignInProof } from "../../../vocabulary/control-proof.ts";
import { userAuditEvent } from "../audit/audit-event.ts";
import { confirmMailboxOwnership } from "../credentials/confirm-mailbox-ownership.ts";
import { grantInitialOwner } from "../roles/grant-initial-owner.ts";
import { endExcessSessions } from "../sessions/end-sessions.ts";
import { acquireSigningSlot, issueTokens, type TokenPair } from "../tokens/issue-session-tokens.ts";
import { breakGlassEnd, recordBreakGlassUse, usesBreakGlass } from "./break-glass.ts";
import { NEW_BROWSER, type SignInConditions } from "./sign-in-conditions.ts";

/** The account, its membership or the credential changed between the check and the statement that signs in. */
export const CHANGED_MEANWHILE = "changed_meanwhile";
export type SignInFailure = typeof CHANGED_MEANWHILE | Refusal<"rate_limited">;

/** The result of a completed sign-in for the client (docs/contract.md, section 4.1). */
export interface SignInResult extends RolesOfMember {
  readonly session: Pick<Session, "id" | "userId" | "organizationId" | "authMethod" | "mfaVerifiedAt">;
  readonly email: string;
  readonly tokens: TokenPair;
}

export interface SignInCompletion {
  readonly userId: string;
  readonly organizationId: string;
  readonly email: string;
  readonly authMethod: FirstFactor;
  /** The provider of a social sign-in. */
  readonly identityProvider?: string | undefined;
  readonly aal: AssuranceLevel;
  readonly client: RequestContext;
  readonly audit: {
    readonly action: Extract<
      AuditAction,
      | "auth.login"
      | "auth.oauth.login"
      | "auth.register"
      | "auth.passkey.login"
      | "auth.sso.login"
      | "auth.mfa.challenge.succeeded"
      | "invitation.accepted"
    >;
    readonly metadata?: AuditEntry["metadata"];
  };
  /**
   * Set for a sign-in that is the first controlling proof of the account: the session is inserted in the transaction of
   * the proof.
   */
  readonly control?: { readonly user: Recipient; readonly proof: SignInProof } | undefined;
  /**
   * Set for a statement that inserts a user with a proven address: the first platform owner gets the role in the
   * transaction.
   */
  readonly insertsControlledUser?: boolean;
  /** Whether this sign-in is a controlling proof, the first or a later proof. Default: `insertsControlledUser`. */
  readonly provesControl?: boolean;
  /** The mfa_token of the session: a second session of the token violates `sessions_mfa_token_jti_key`. */
  readonly mfaTokenJti?: string;
  /** Only for a sign-in by the identity provider of the organization. */
  readonly bound?: BoundSignIn;
  readonly conditions: (sql: Sql) => SignInConditions;
}

/** What the identity provider of an organization asserted about the session. Times are milliseconds. */
export interface BoundSignIn extends SessionBinding {
  /** The authentication with several factors; null: at an unknown time, or not asserted. */
  readonly mfaVerifiedAt: number | null;
  /** The session ends at this time at the latest. */
  readonly endsAt: number | undefined;
}

/**
 * Completes every sign-in method: one statement checks the conditions under lock and inserts the session and the audit
 * record, while a worker signs the tokens. Every sign-in creates a new session family, with any cookies of the browser
 * (G8). `rate_limited` means a full signing pool.
 */
export async function completeSignIn(
  deps: SignInDeps,
  completion: SignInCompletion,
): Promise<Result<SignInResult, SignInFailure>> {
  const slot = acquireSigningSlot(deps, completion.userId);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  return await completeSignInWithSlot(deps, completion);
}

/** Completes a sign-in for a caller that holds a signing slot. */
export async function completeSignInWithSlot(
  deps: SignInDeps,
  completion: SignInCompletion,
): Promise<Result<SignInResult, typeof CHANGED_MEANWHILE>> {
  const session = newSession(deps, completion);
  const [power, tokens] = await Promise.all([persistSignIn(deps, completion, session), issueTokens(deps, session)]);
  if (!power) return err(CHANGED_MEANWHILE);
  const { role, roleKeys, granted } = power;
  return ok({ session, email: completion.email, role, roleKeys, granted, tokens });
}

/** Returns the outcome of a sign-in whose statement inserts the user, so that no checked row can change meanwhile. */
export function assertUnchanged<T>(outcome: Result<T, SignInFailure>): Result<T, Refusal<"rate_limited">> {
  if (outcome.ok) return outcome;
  if (outcome.error === CHANGED_MEANWHILE) throw new Error("a sign-in that inserts its user inserted no session");
  return err(outcome.error);
}

function newSession({ config, clock, random, ssoDirectory }: SignInDeps, completion: SignInCompletion): Session {
  const { bound } = completion;
  const now = clock.now();
  const isEmergency = !bound && usesBreakGlass({ clock, ssoDirectory }, completion);
  const latest = isEmergency ? breakGlassEnd(now) : (bound?.endsAt ?? Number.POSITIVE_INFINITY);
  const endsAt = Math.min(now + config.tokens.sessionMaxAgeSeconds * 1000, latest);
  const ownFactorAt = completion.aal === "aal2" ? now : null;
  return {
    id: random.uuid(),
    userId: completion.userId,
    organizationId: completion.organizationId,
    authMethod: completion.authMethod,
    emailClaim: completion.authMethod === "social_oauth" ? completion.email : null,
    identityProvider: completion.identityProvider ?? null,
    aal: completion.aal,
    phishingResistant: completion.authMethod === "passkey",
    authTime: now,
    mfaVerifiedAt: bound ? bound.mfaVerifiedAt : ownFactorAt,
    refreshJti: random.uuid(),
    accessJti: random.uuid(),
    rotatedAt: now,
    expiresAt: Math.min(now + config.tokens.refreshMaxAgeSeconds * 1000, endsAt),
    endsAt,
  };
}

async function persistSignIn(
  deps: SignInDeps,
  completion: SignInCompletion,
  session: Session,
): Promise<RolesOfMember | undefined> {
  const { control } = completion;
  if (control) return await persistWithProof(deps, completion, session, control);
  if (completion.insertsControlledUser) return await persistControlledUser(deps, completion, session);
  if (!completion.bound && usesBreakGlass(deps, completion)) return await persistBreakGlass(deps, completion, session);
  const persisted = await deps.database.run("sign_in.finish", (sql) => persistSession(deps, sql, completion, session));
  if (persisted?.hasNotice) deps.outbox.wake();
  if (persisted?.hasSurplus) await endExcessSessions(deps, shareOf(completion));
  return persisted;
}

function shareOf({ userId, organizationId, bound }: SignInCompletion): SessionShare {
  return { userId, boundTo: bound ? organizationId : null };
}

/** A session of emergency access, with the record and the mails in one transaction. */
async function persistBreakGlass(
  deps: SignInDeps,
  completion: SignInCompletion,
  session: Session,
): Promise<RolesOfMember | undefined> {
  const { userId, organizationId, email, client } = completion;
  const at = new Date(session.authTime);
  const persisted = await deps.database.transaction("sign_in.break_glass", async (sql) => {
    const inserted = await persistSession(deps, sql, completion, session);
    if (inserted) {
      await recordBreakGlassUse(deps, sql, { sessionId: session.id, userId, organizationId, email, at, client });
    }
    return inserted;
  });
  if (persisted) deps.outbox.wake();
  if (persisted?.hasSurplus) await endExcessSessions(deps, shareOf(completion));
  return persisted;
}

/**
 * The statement of the sign-in locks the user's row first, so that no other sign-in of the user completes before the
 * earlier credentials have ended.
 */
async function persistWithProof(
  deps: SignInDeps,
  completion: SignInCompletion,
  session: Session,
  { user, proof }: NonNullable<SignInCompletion["control"]>,
): Promise<RolesOfMember | undefined> {
  const { userId, organizationId, client } = completion;
  const presented = { user: { ...user, userId, organizationId }, proof, keepSession: session.id, client };
  const at = new Date(session.authTime);
  const isEmergency = !completion.bound && usesBreakGlass(deps, completion);
  const persisted = await deps.database.transaction("sign_in.prove_control", async (sql) => {
    const inserted = await persistSession(deps, sql, completion, session);
    if (inserted && isEmergency) {
      const { email } = completion;
      await recordBreakGlassUse(deps, sql, { sessionId: session.id, userId, organizationId, email, at, client });
    }
    return inserted && { inserted, events: await confirmMailboxOwnership(deps, sql, { ...presented, at }) };
  });
  if (!persisted) return undefined;
  deps.outbox.wake();
  await deps.revocations.announce(persisted.events);
  return persisted.inserted;
}

/** Runs in one transaction: a role granted after the commit would be lost with a replica that crashes in between. */
async function persistControlledUser(
  deps: SignInDeps,
  completion: SignInCompletion,
  session: Session,
): Promise<RolesOfMember | undefined> {
  return await deps.database.transaction("sign_in.insert_controlled_user", async (sql) => {
    const inserted = await persistSession(deps, sql, completion, session);
    if (inserted) await grantInitialOwner(deps, sql, completion.email);
    return inserted;
  });
}

interface InsertedSession extends RolesOfMember {
  /** Whether the user has more live sessions than `SESSIONS_PER_USER_MAX`. */
  readonly hasSurplus: boolean;
  /** Whether the user is notified of a new browser. */
  readonly hasNotice: boolean;
}

/**
 * Inserts the session in one statement, in a transaction or alone. Returns undefined, and inserts no row, if a
 * condition has no row.
 */
async function persistSession(
  deps: SignInDeps,
  sql: Sql,
  completion: SignInCompletion,
  session: Session,
): Promise<InsertedSession | undefined> {
  const { client, audit, mfaTokenJti = null, insertsControlledUser = false, bound: binding } = completion;
  const { provesControl: controlProven = insertsControlledUser } = completion;
  const at = new Date(session.authTime);
  const event = userAuditEvent(deps, session, client, {
    action: audit.action,
    at,
    resource: { type: "session", id: session.id },
    metadata: { method: session.authMethod, ...audit.metadata },
  });
  const [membership, account, inserted] = [cte(sql, "membership"), cte(sql, "account"), cte(sql, "session")];
  const conditions = completion.conditions(sql);
  const statement = withParts(sql, {
    ...conditions,
    session: insertSession(sql, session, { client, mfaTokenJti, controlProven, binding }, sql`from ${account}`),
    audit: insertAudit(sql, event, sql`from ${inserted}`),
  });
  const [row] = await sql<InsertedSession[]>`
    ${statement}
    select ${membership}.role, ${grantColumns(sql, sql`${membership}.organization_id`, sql`${session.userId}::uuid`)},
           ${hasExcessSessions(sql, shareOf(completion), at)} as "hasSurplus",
           ${conditions[NEW_BROWSER] ? sql`exists (select 1 from ${cte(sql, NEW_BROWSER)})` : sql`false`} as "hasNotice"
    from ${membership}, ${inserted}`;
  return row;
}
