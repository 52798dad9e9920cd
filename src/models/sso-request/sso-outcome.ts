/** Verified responses of identity providers that wait for a step of the browser. */
import type { Random } from "../../base/random.ts";
import { open, type SealingKey, seal } from "../../base/seal.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";

/** Associated data: an identity copied to another row does not open (G22). */
function identityOf(handle: string): string {
  return `sso-outcome:${handle}`;
}

/** The part of a verified identity that a link needs. */
export interface OfferedIdentity {
  /** The revision of the connection at the response. */
  readonly revision: number;
  readonly subject: string;
  readonly email: string | null;
}

export interface SsoOutcome {
  readonly connectionId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly redirectTo: string;
  readonly expiresAt: Date;
}

export interface SealedOutcome extends SsoOutcome {
  readonly sealedIdentity: Buffer;
}

type SealDeps = { readonly sealing: SealingKey; readonly random: Random };

/** Stores an outcome. False: the connection or the user was deleted meanwhile. */
export async function insertSsoOutcome(
  sql: Sql,
  deps: SealDeps,
  { handle, browserToken, ...outcome }: SsoOutcome & { readonly handle: string; readonly browserToken: string },
  identity: OfferedIdentity,
): Promise<boolean> {
  const sealed = seal(deps.sealing, deps.random, identityOf(handle), Buffer.from(JSON.stringify(identity)));
  const rows = await sql`
    with present as (
      select c.id as connection_id, u.id as user_id from sso_connections c, users u
      where c.id = ${outcome.connectionId} and u.id = ${outcome.userId} for key share
    )
    insert into sso_outcomes (handle_hash, browser_hash, connection_id, user_id, session_id, redirect_to,
                              sealed_identity, expires_at)
    select ${hashToken(handle)}::bytea, ${hashToken(browserToken)}::bytea, connection_id, user_id,
           ${outcome.sessionId}::uuid, ${outcome.redirectTo}::text, ${sealed}::bytea, ${outcome.expiresAt}::timestamptz
    from present returning 1`;
  return rows.length > 0;
}

/** Undefined for a row that was tampered with, and for a row sealed under another root secret. */
export function openOfferedIdentity(
  { sealing }: Pick<SealDeps, "sealing">,
  handle: string,
  sealed: Buffer,
): OfferedIdentity | undefined {
  const plaintext = open(sealing, identityOf(handle), sealed);
  return plaintext && (JSON.parse(plaintext.toString()) as OfferedIdentity);
}

/** What a browser presents: the handle, in the session that began the request. */
export interface OutcomeProof {
  readonly handle: string;
  readonly sessionId: string;
  readonly userId: string;
}

/** A live outcome of the session. */
export async function findSsoOutcome(
  sql: Sql,
  { handle, sessionId, userId }: OutcomeProof,
  at: Date,
): Promise<SealedOutcome | undefined> {
  const [row] = await sql<SealedOutcome[]>`
    select connection_id as "connectionId", user_id as "userId", session_id as "sessionId",
           redirect_to as "redirectTo", expires_at as "expiresAt", sealed_identity as "sealedIdentity"
    from sso_outcomes
    where handle_hash = ${hashToken(handle)} and session_id = ${sessionId} and user_id = ${userId}
      and expires_at > ${at}`;
  return row;
}

/** Consumes a live outcome of the session: of several requests, one gets the row. */
export async function consumeSsoOutcome(
  sql: Sql,
  { handle, sessionId, userId }: OutcomeProof,
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    delete from sso_outcomes
    where handle_hash = ${hashToken(handle)} and session_id = ${sessionId} and user_id = ${userId}
      and expires_at > ${at}
    returning 1`;
  return rows.length > 0;
}
