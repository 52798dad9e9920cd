import type { AssuranceLevel, FirstFactor } from "../../base/assurance.ts";
import type { ClientFacts } from "../../base/client-facts.ts";
import type { SignInProof } from "../../base/control-proof.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import { BAD_CREDENTIALS } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type AuditAction, type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { lockEnterableMembership, type MemberRole } from "../../models/member/member.ts";
import { insertSession, type Session } from "../../models/session/session.ts";
import { lockAndRecordSignIn, type Recipient, type SignInEntry } from "../../models/user/user.ts";
import { issueTokens, type TokenPair, withSigningSlot } from "./issue-tokens.ts";
import { type ProveDeps, proveControl } from "./prove-control.ts";

export type CompleteSignInDeps = ProveDeps & Pick<Deps, "keyRing" | "signing" | "outbox">;

/** Everything that a client learns when a door has let it in (contract, section 2.1). */
export interface SignedIn {
  readonly session: Pick<Session, "id" | "userId" | "organizationId" | "authMethod" | "mfaVerifiedAt">;
  readonly email: string;
  readonly role: MemberRole;
  readonly tokens: TokenPair;
}

export interface SignInCompletion {
  readonly userId: string;
  readonly organizationId: string;
  readonly email: string;
  readonly authMethod: FirstFactor;
  readonly aal: AssuranceLevel;
  readonly client: ClientFacts;
  readonly audit: {
    readonly action: Extract<
      AuditAction,
      | "auth.login"
      | "auth.oauth.login"
      | "auth.register"
      | "auth.passkey.login"
      | "auth.mfa.challenge.succeeded"
      | "invitation.accepted"
    >;
    readonly metadata?: AuditEntry["metadata"];
  };
  /**
   * Set where this sign-in is the first controlling proof of the account: the session is made in the transaction of
   * the proof.
   */
  readonly control?: { readonly user: Recipient; readonly proof: SignInProof } | undefined;
  /** The mfa_token that the session is made from: a second one of it violates `sessions_mfa_token_jti_key`. */
  readonly mfaTokenJti?: string;
  /**
   * What the door checks or writes in the same statement, as CTEs of which `home` answers the membership (organization_id,
   * role) and `person` one row if the user may enter. No row, no session.
   */
  readonly conditions: (sql: Sql) => Fragment;
}

/** What a door adds to its statement, as pieces that answer rows. */
export interface SignInParts {
  /** Looks under lock whether the user may still guess, as the CTE `allowed`; `consume` then asks for its row. */
  readonly allow?: ((sql: Sql) => Fragment) | undefined;
  /** Takes the single-use thing that was shown: no row of it, no session. */
  readonly consume?: ((sql: Sql) => Fragment) | undefined;
  /** Notes that the browser was used. */
  readonly touch?: ((sql: Sql) => Fragment) | undefined;
  /** Writes to the owner of the account about it. */
  readonly notice?: ((sql: Sql) => Fragment) | undefined;
  /** A further entry of the audit trail. */
  readonly record?: ((sql: Sql) => Fragment) | undefined;
}

/** The conditions under which a known user enters: membership, single-use thing, account, each looked at under lock. */
export function existingUserParts(
  entry: SignInEntry,
  at: Date,
  parts: SignInParts = {},
): SignInCompletion["conditions"] {
  const { allow, consume, touch, notice, record } = parts;
  return (sql) => sql`
    home as (${lockEnterableMembership(sql, entry.userId, entry.organizationId, entry.shownAt)}),
    ${allow ? sql`allowed as (${allow(sql)}),` : sql``}
    ${consume ? sql`consumed as (${consume(sql)}),` : sql``}
    person as (${lockAndRecordSignIn(sql, entry, at, consume ? sql`from home, consumed` : sql`from home`)})
    ${touch ? sql`, touched as (${touch(sql)})` : sql``}
    ${notice ? sql`, noticed as (${notice(sql)})` : sql``}
    ${record ? sql`, recorded as (${record(sql)})` : sql``}`;
}

/**
 * The last step of every door: one statement that checks once more under lock, makes the session and its audit row, while a
 * worker signs the tokens. A new family each time, whatever cookies the browser brought (promise 8). Refuses with
 * `authentication_required` when the account changed while it was being checked, `rate_limited` when the signing pool is full.
 */
export async function completeSignIn(
  deps: CompleteSignInDeps,
  completion: SignInCompletion,
): Promise<Result<SignedIn>> {
  return await withSigningSlot(deps, completion.userId, async () => {
    const session = newSession(deps, completion);
    const [role, tokens] = await Promise.all([persistSignIn(deps, completion, session), issueTokens(deps, session)]);
    return role ? ok({ session, email: completion.email, role, tokens }) : err(BAD_CREDENTIALS);
  });
}

function newSession({ config, clock, random }: CompleteSignInDeps, completion: SignInCompletion): Session {
  const now = clock.now();
  const endsAt = now + config.tokens.sessionMaxAgeSeconds * 1000;
  return {
    id: random.uuid(),
    userId: completion.userId,
    organizationId: completion.organizationId,
    authMethod: completion.authMethod,
    emailClaim: completion.authMethod === "social_oauth" ? completion.email : null,
    aal: completion.aal,
    authTime: now,
    mfaVerifiedAt: completion.aal === "aal2" ? now : null,
    refreshJti: random.uuid(),
    accessJti: random.uuid(),
    rotatedAt: now,
    expiresAt: Math.min(now + config.tokens.refreshMaxAgeSeconds * 1000, endsAt),
    endsAt,
  };
}

async function persistSignIn(
  deps: CompleteSignInDeps,
  completion: SignInCompletion,
  session: Session,
): Promise<MemberRole | undefined> {
  const { control } = completion;
  if (control) return await enterWithProof(deps, completion, session, control);
  return await deps.database.run("sign_in.finish", (sql) => persistSession(deps, sql, completion, session));
}

/**
 * The statement of the sign-in locks the user's row first, so that nobody else signs in until what was set up before
 * has ended.
 */
async function enterWithProof(
  deps: CompleteSignInDeps,
  completion: SignInCompletion,
  session: Session,
  { user, proof }: NonNullable<SignInCompletion["control"]>,
): Promise<MemberRole | undefined> {
  const { userId, organizationId, client } = completion;
  const prover = { ...user, userId, organizationId };
  const at = new Date(session.authTime);
  const entered = await deps.database.transaction("sign_in.prove_control", async (sql) => {
    const role = await persistSession(deps, sql, completion, session);
    if (!role) return undefined;
    return {
      role,
      events: await proveControl(deps, sql, { user: prover, proof, keepSession: session.id, client, at }),
    };
  });
  if (!entered) return undefined;
  deps.outbox.wake();
  await deps.revocations.announce(entered.events);
  return entered.role;
}

/** One statement, in a transaction or by itself: no row of `conditions`, no session. */
async function persistSession(
  deps: CompleteSignInDeps,
  sql: Sql,
  completion: SignInCompletion,
  session: Session,
): Promise<MemberRole | undefined> {
  const origin = { client: completion.client, mfaTokenJti: completion.mfaTokenJti ?? null };
  const audit = insertAudit(
    sql,
    {
      eventId: deps.random.uuid(),
      at: new Date(session.authTime),
      action: completion.audit.action,
      outcome: "success",
      organizationId: session.organizationId,
      actorId: session.userId,
      actorType: "user",
      resourceType: "session",
      resourceId: session.id,
      metadata: { method: session.authMethod, ...completion.audit.metadata },
      client: completion.client,
    },
    sql`from session`,
  );
  const [row] = await sql<{ role: MemberRole }[]>`
    with ${completion.conditions(sql)},
    session as (${insertSession(sql, session, origin, sql`from person`)}),
    audit as (${audit})
    select home.role from home, session`;
  return row?.role;
}
