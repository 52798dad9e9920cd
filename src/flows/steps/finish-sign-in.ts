import type { AssuranceLevel, FirstFactor } from "../../base/assurance.ts";
import type { ClientFacts } from "../../base/client-facts.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import { BAD_CREDENTIALS } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type AuditAction, type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { enterableMembership, type MemberRole } from "../../models/member/member.ts";
import { insertSession, type Session } from "../../models/session/session.ts";
import { type Entry, enterAsUser } from "../../models/user/user.ts";
import { mintTokens, type TokenPair } from "./mint-tokens.ts";

export type FinishNeeds = Pick<Deps, "config" | "clock" | "random" | "database" | "keyRing" | "signing">;

/** Everything that a client learns when a door has let it in (contract, section 2.1). */
export interface SignedIn {
  readonly session: Pick<Session, "id" | "userId" | "organizationId" | "authMethod" | "mfaVerifiedAt">;
  readonly email: string;
  readonly role: MemberRole;
  readonly tokens: TokenPair;
}

export interface Entrance {
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
  /** The mfa_token that the session is made from: a second one of it violates `sessions_mfa_token_jti_key`. */
  readonly mfaTokenJti?: string;
  /**
   * What the door checks or writes in the same statement, as CTEs of which `home` answers the membership (organization_id,
   * role) and `person` one row if the user may enter. No row, no session.
   */
  readonly conditions: (sql: Sql) => Fragment;
}

/** What a door adds to its statement, as pieces that answer rows. */
export interface EntranceParts {
  /** Takes the single-use thing that was shown: no row of it, no session. */
  readonly take?: ((sql: Sql) => Fragment) | undefined;
  /** Notes that the browser was used. */
  readonly touch?: ((sql: Sql) => Fragment) | undefined;
  /** Writes to the owner of the account about it. */
  readonly notice?: ((sql: Sql) => Fragment) | undefined;
  /** A further entry of the audit trail. */
  readonly record?: ((sql: Sql) => Fragment) | undefined;
}

/** The conditions under which a known user enters: membership, single-use thing, account, each looked at under lock. */
export function knownUser(entry: Entry, at: Date, parts: EntranceParts = {}): Entrance["conditions"] {
  const { take, touch, notice, record } = parts;
  return (sql) => sql`
    home as (${enterableMembership(sql, entry.userId, entry.organizationId, entry.shownAt)}),
    ${take ? sql`taken as (${take(sql)}),` : sql``}
    person as (${enterAsUser(sql, entry, at, take ? sql`from home, taken` : sql`from home`)})
    ${touch ? sql`, touched as (${touch(sql)})` : sql``}
    ${notice ? sql`, noticed as (${notice(sql)})` : sql``}
    ${record ? sql`, recorded as (${record(sql)})` : sql``}`;
}

/**
 * The last step of every door: one statement that checks once more under lock, makes the session and its audit row, while a
 * worker signs the tokens. A new family each time, whatever cookies the browser brought (promise 8). Refuses with
 * `authentication_required` when the account changed while it was being checked.
 */
export async function finishSignIn(needs: FinishNeeds, entrance: Entrance): Promise<Result<SignedIn>> {
  const session = newSession(needs, entrance);
  const [role, tokens] = await Promise.all([enter(needs, entrance, session), mintTokens(needs, session)]);
  if (!role) return refuse(BAD_CREDENTIALS);
  if (!tokens.ok) return tokens;
  return ok({ session, email: entrance.email, role, tokens: tokens.value });
}

function newSession({ config, clock, random }: FinishNeeds, entrance: Entrance): Session {
  const now = clock.now();
  const endsAt = now + config.tokens.sessionMaxAgeSeconds * 1000;
  return {
    id: random.uuid(),
    userId: entrance.userId,
    organizationId: entrance.organizationId,
    authMethod: entrance.authMethod,
    emailClaim: entrance.authMethod === "social_oauth" ? entrance.email : null,
    aal: entrance.aal,
    authTime: now,
    mfaVerifiedAt: entrance.aal === "aal2" ? now : null,
    refreshJti: random.uuid(),
    accessJti: random.uuid(),
    rotatedAt: now,
    expiresAt: Math.min(now + config.tokens.refreshMaxAgeSeconds * 1000, endsAt),
    endsAt,
  };
}

async function enter(needs: FinishNeeds, entrance: Entrance, session: Session): Promise<MemberRole | undefined> {
  const eventId = needs.random.uuid();
  const origin = { client: entrance.client, mfaTokenJti: entrance.mfaTokenJti ?? null };
  const rows = await needs.database.run("sign_in.finish", (sql) => {
    const audit = insertAudit(
      sql,
      {
        eventId,
        at: new Date(session.authTime),
        action: entrance.audit.action,
        outcome: "success",
        organizationId: session.organizationId,
        actorId: session.userId,
        actorType: "user",
        resourceType: "session",
        resourceId: session.id,
        metadata: { method: session.authMethod, ...entrance.audit.metadata },
        client: entrance.client,
      },
      sql`from session`,
    );
    return sql<{ role: MemberRole }[]>`
      with ${entrance.conditions(sql)},
      session as (${insertSession(sql, session, origin, sql`from person`)}),
      audit as (${audit})
      select home.role from home, session`;
  });
  return rows[0]?.role;
}
