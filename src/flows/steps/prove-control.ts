import type { ClientFacts } from "../../base/client-facts.ts";
import type { ControlProof } from "../../base/control-proof.ts";
import type { Sql } from "../../base/database.ts";
import { withParts } from "../../base/statement.ts";
import type { Deps } from "../../deps.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { deleteEmailCode } from "../../models/email-code/email-code.ts";
import { unlinkIdentities } from "../../models/identity/identity.ts";
import { revokeInvitationsOf } from "../../models/invitation/invitation.ts";
import { deleteAllMailedTokens } from "../../models/mailed-token/mailed-token.ts";
import { deletePasskeys, deleteRegistrations } from "../../models/passkey/passkey.ts";
import { deleteRecoveryCodes } from "../../models/recovery-code/recovery-code.ts";
import { lockLiveSessions, type SessionEvent } from "../../models/session/revocation.ts";
import { removeTotpFactor } from "../../models/totp/totp.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { type ControlState, confirmControl, lockControlState, markControlled } from "../../models/user/control.ts";
import type { Recipient } from "../../models/user/user.ts";
import { userAuditEvent } from "./audit-event.ts";
import { composeEmail, requestContext } from "./compose-email.ts";
import { type EndDeps, endSessionsIn, tokensLiveSince } from "./end-sessions.ts";
import { grantInitialOwner } from "./grant-initial-owner.ts";

export type ProveDeps = EndDeps & Pick<Deps, "sealing" | "addressKey">;

export interface Prover extends Recipient {
  readonly userId: string;
  readonly organizationId: string | null;
}

export interface ShownControl {
  readonly user: Prover;
  readonly proof: ControlProof;
  /** The session that the proof itself inserted, if any. */
  readonly keepSession?: string;
  readonly client: ClientFacts;
  readonly at: Date;
}

/**
 * Inside the transaction of a controlling proof that was not made in a session of the account. The first proof ends
 * everything that was set up before it (docs/contract.md, section 5.3); later ones end nothing here. Returns the events
 * to announce after the commit.
 */
export async function proveControl(deps: ProveDeps, sql: Sql, shown: ShownControl): Promise<readonly SessionEvent[]> {
  const { user, client, keepSession } = shown;
  const before = await lockControlState(sql, user.userId);
  if (!before || before.controlled) return [];
  const ended = await endCredentials(sql, shown, before);
  await recordEnded(deps, sql, shown, ended);
  await notifyOwner(deps, sql, shown, ended);
  await grantInitialOwner(deps, sql, user.email);
  // A statement of its own, so that its snapshot has the sessions of transactions that held the row lock before.
  const sessionIds = await lockLiveSessions(sql, user.userId, keepSession, tokensLiveSince(deps));
  return await endSessionsIn(deps, sql, sessionIds, {
    userId: user.userId,
    reason: "control_proven",
    auditAction: "auth.session.revoked",
    client,
  });
}

/** What a first proof ended beside sessions. */
interface Ended {
  readonly password: boolean;
  readonly secondFactor: boolean;
  readonly passkeys: readonly string[];
  readonly identities: readonly string[];
  readonly invitations: readonly { readonly id: string; readonly organizationId: string }[];
}

/** Keeps a confirmed second factor where the address had been verified before (docs/contract.md, section 5.4). */
async function endCredentials(sql: Sql, { user, proof, at }: ShownControl, before: ControlState): Promise<Ended> {
  const { userId } = user;
  const keepPassword = proof.kind === "password_reset";
  const keepFactor = before.emailVerified;
  const keepIdentity = proof.kind === "social_sign_in" ? proof.identity : undefined;
  const statement = withParts(sql, {
    account: markControlled(sql, userId, keepPassword, at),
    browsers: endTrustedBrowsers(sql, userId, at),
    email_codes: deleteEmailCode(sql, userId),
    links: deleteAllMailedTokens(sql, userId),
    registrations: deleteRegistrations(sql, userId),
    ended_passkeys: deletePasskeys(sql, userId, at),
    ended_identities: unlinkIdentities(sql, userId, keepIdentity),
    ended_invitations: revokeInvitationsOf(sql, userId, at),
    ended_factor: removeTotpFactor(sql, userId, keepFactor),
    ended_recovery_codes: keepFactor ? undefined : deleteRecoveryCodes(sql, userId),
  });
  const [row] = await sql<Omit<Ended, "password">[]>`
    ${statement}
    select exists (select 1 from ended_factor where confirmed_at is not null) as "secondFactor",
      coalesce((select json_agg(id) from ended_passkeys), '[]') as passkeys,
      coalesce((select json_agg(provider) from ended_identities), '[]') as identities,
      coalesce((
        select json_agg(json_build_object('id', id, 'organizationId', organization_id)) from ended_invitations
      ), '[]') as invitations`;
  if (!row) throw new Error("a select without a table returned no row");
  return { ...row, password: before.hasPassword && !keepPassword };
}

async function recordEnded(deps: ProveDeps, sql: Sql, shown: ShownControl, ended: Ended): Promise<void> {
  const { user, proof, client, at } = shown;
  const metadata = {
    proof: proof.kind,
    password: ended.password,
    second_factor: ended.secondFactor,
    passkeys: ended.passkeys.length,
    identities: ended.identities.length,
    invitations: ended.invitations.length,
  };
  await insertAudit(sql, userAuditEvent(deps, user, client, { action: "auth.control.proven", at, metadata }), sql``);
  const { organizationId } = user;
  const passkeys = ended.passkeys.map((id) => ({ id, organizationId }));
  await recordEach(deps, sql, shown, { action: "auth.passkey.deleted", type: "passkey" }, passkeys);
  await recordEach(deps, sql, shown, { action: "invitation.revoked", type: "invitation" }, ended.invitations);
  const factors = ended.secondFactor ? [{ id: user.userId, organizationId }] : [];
  await recordEach(deps, sql, shown, { action: "mfa.disabled", type: "user" }, factors);
}

interface EndedThing {
  readonly id: string;
  readonly organizationId: string | null;
}

/** Inserts an audit record for each of them, in one statement. */
async function recordEach(
  deps: ProveDeps,
  sql: Sql,
  { user, client, at }: ShownControl,
  { action, type }: { readonly action: AuditEntry["action"]; readonly type: AuditEntry["resourceType"] },
  ended: readonly EndedThing[],
): Promise<void> {
  if (ended.length === 0) return;
  const entry = userAuditEvent(deps, user, client, { action, at, metadata: { reason: "control_proven" } });
  const rows = ended.map((each) => ({ ...each, eventId: deps.random.uuid() }));
  await insertAudit(
    sql,
    {
      ...entry,
      resourceType: type,
      eventId: sql`ended."eventId"`,
      organizationId: sql`ended."organizationId"`,
      resourceId: sql`ended.id`,
    },
    sql`from jsonb_to_recordset(${sql.json(rows)}::jsonb) ended (id uuid, "organizationId" uuid, "eventId" uuid)`,
  );
}

/** E-mails the owner what was ended and how to set a password. A reset that ended nothing else has its own notice. */
async function notifyOwner(deps: ProveDeps, sql: Sql, shown: ShownControl, ended: Ended): Promise<void> {
  const { user, client, at } = shown;
  const { password, secondFactor, passkeys, identities } = ended;
  if (!password && !secondFactor && passkeys.length === 0 && identities.length === 0) return;
  const values = { ...requestContext(client, at), password, second_factor: secondFactor };
  await insertEmail(sql, composeEmail(deps, user, client, { kind: "account_secured", values }, at));
}

export interface SessionProof {
  readonly user: Pick<Prover, "userId" | "organizationId" | "email">;
  /** The session in which the proof was made. */
  readonly sessionId: string;
  readonly proof: "verification_link" | "invitation";
  readonly client: ClientFacts;
  readonly at: Date;
}

/**
 * Inside the transaction of a verification link or an invitation that was confirmed in a session of the same user: the
 * person who set the account up holds the mailbox, so nothing ends. A session that was revoked meanwhile proves
 * nothing.
 */
export async function proveControlInSession(deps: ProveDeps, sql: Sql, shown: SessionProof): Promise<void> {
  const { user, sessionId, proof, client, at } = shown;
  const before = await lockControlState(sql, user.userId);
  if (!before || before.controlled) return;
  const entry = userAuditEvent(deps, user, client, { action: "auth.control.proven", at, metadata: { proof } });
  const rows = await sql`
    with confirmed as (${confirmControl(sql, user.userId, sessionId, at)}),
    audit as (${insertAudit(sql, entry, sql`from confirmed`)})
    select 1 from confirmed`;
  if (rows.length > 0) await grantInitialOwner(deps, sql, user.email);
}
