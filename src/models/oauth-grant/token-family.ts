import type { oauthTokenFamilies } from "../../../db/schema/oauth-provider.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { cte } from "../../database/statement.ts";
import { OAUTH_FAMILIES_PER_GRANT_MAX } from "../../limits/oauth-limits.ts";
import { admitsFamily, applicationTokenEnd, familyTokenEnd } from "../conditions/organization-access.ts";
import { resourcesOverlap, resourcesWithin } from "../conditions/resource-comparison.ts";

/** A condition on the alias `f`: the family that a refresh token, an ID token or a logout token names. */
export function isNamedFamily(sql: Sql, id: string): Fragment {
  return sql`(f.id = ${id} or f.origin_id = ${id})`;
}

type TokenFamilyRow = RowOf<typeof oauthTokenFamilies>;

/** The tokens of one authorization code as last issued. Times are milliseconds. */
export interface TokenFamily
  extends Pick<
    TokenFamilyRow,
    | "clientId"
    | "userId"
    | "organizationId"
    | "sessionId"
    | "subject"
    | "scopes"
    | "resources"
    | "nonce"
    | "authMethod"
    | "aal"
    | "refreshJti"
    | "accessJti"
    | "dpopJkt"
    | "consentedData"
  > {
  /** The claim `sid` of access tokens. */
  readonly id: TokenFamilyRow["id"];
  /** The claim `sid` of ID tokens, and the family in refresh tokens. */
  readonly originId: string;
  readonly authTime: number;
  readonly accessExpiresAt: number;
  readonly rotatedAt: number;
  readonly expiresAt: number;
}

type Dates = "authTime" | "accessExpiresAt" | "rotatedAt" | "expiresAt";
type FamilyRow = Omit<TokenFamily, Dates> & { readonly [Name in Dates]: Date };

/** Columns of `TokenFamily`, of the alias `f`. */
function familyColumns(sql: Sql): Fragment {
  return sql`
    f.id, coalesce(f.origin_id, f.id) as "originId", f.client_id as "clientId", f.user_id as "userId",
    f.organization_id as "organizationId",
    f.session_id as "sessionId", f.subject, f.scopes, f.resources, f.nonce, f.auth_method as "authMethod", f.aal,
    f.auth_time as "authTime", f.refresh_jti as "refreshJti", f.access_jti as "accessJti",
    f.access_expires_at as "accessExpiresAt", f.rotated_at as "rotatedAt", f.expires_at as "expiresAt",
    f.dpop_jkt as "dpopJkt", f.consented_data as "consentedData"`;
}

function toFamily(row: FamilyRow): TokenFamily {
  return {
    ...row,
    authTime: row.authTime.getTime(),
    accessExpiresAt: row.accessExpiresAt.getTime(),
    rotatedAt: row.rotatedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
  };
}

/** Lifetimes, in milliseconds. */
export interface TokenLifetimes {
  readonly accessMs: number;
  readonly refreshMs: number;
  /** Expiry of an offline family; any further family ends with its session. */
  readonly familyMs: number;
}

export interface Exchange {
  readonly codeHash: Buffer;
  readonly clientId: string;
  /** Null: the code of a device. */
  readonly redirectUri: string | null;
  /** SHA-256 of the presented verifier (RFC 7636, section 4.6); null: the request has no verifier. */
  readonly codeChallenge: string | null;
  /**
   * The resources of the token request: at most the resources of the authorization. The family keeps all (RFC 8707,
   * section 2.2).
   */
  readonly resources: readonly string[];
  /** The thumbprint of the key of the proof; null: the request has no proof. */
  readonly thumbprint: string | null;
  /** A code for one of these resources gives no tokens: their tokens are always bound to a key. */
  readonly excludedResources: readonly string[];
  /** The access of a client beside the stored settings: open APIs, for a client that no administrator registered. */
  readonly open: { readonly scopes: readonly string[]; readonly resources: readonly string[] };
  readonly familyId: string;
  readonly refreshJti: string;
  readonly accessJti: string;
  readonly at: Date;
  readonly lifetimes: TokenLifetimes;
}

/**
 * Exchanges a code, in one statement: deletes the code, and inserts the family if every condition of the authorization
 * still holds. A client that presents its code consumes the code, with right or wrong parameters, so that no parameter
 * can be tried twice. Membership, client, user and session are locked: a statement that ends one of the four waits and
 * then finds the family, or came first, and then no family is inserted. The membership is locked before the session, as
 * in a removal. A session that changed its organization after the authorization gets no tokens: the user allowed access
 * to the previous organization. A code with a challenge needs the verifier, and a code without a challenge accepts no
 * verifier: an attacker who strips the challenge from a request gets no tokens (RFC 9700, section 4.8.2). A code
 * without a challenge is also void once the client requires PKCE again, unless a device has the code. A code is void
 * once a scope or resource server is withdrawn from the client. A code that names a key needs a proof of the key. The
 * refresh tokens of a public client are bound to the key of the proof (RFC 9449, section 5).
 */
export async function exchangeCode(sql: Sql, exchange: Exchange): Promise<ExchangedFamily | undefined> {
  const { at, lifetimes, resources } = exchange;
  const after = (ms: number) => new Date(at.getTime() + ms);
  const [row] = await sql<(FamilyRow & Pick<ExchangedFamily, "isExcluded" | "isFull">)[]>`
    with consumed as (
      delete from oauth_codes where code_hash = ${exchange.codeHash} and client_id = ${exchange.clientId} returning *
    ),
    granted as (
      select k.code_hash, k.grant_id, k.client_id, k.user_id, k.session_id, k.nonce, k.scopes, k.resources, k.subject,
             k.consented_data,
             case when c.token_auth_method = 'none' then ${exchange.thumbprint}::text end as dpop_jkt,
             s.organization_id, s.auth_method, s.identity_provider, s.aal, s.phishing_resistant, s.auth_time,
             'offline_access' = any (k.scopes) as offline,
             case when 'offline_access' = any (k.scopes) then ${after(lifetimes.familyMs)}::timestamptz
                  else s.ends_at end as ends_at,
             ${applicationTokenEnd(sql, at)} as rules_end
      from users u, sessions s, consumed k, organizations o, members m, oauth_clients c
      where u.id = k.user_id and u.disabled_at is null and u.credentials_epoch = k.credentials_epoch
        and s.id = k.session_id and s.revoked_at is null and s.expires_at > ${at}
        and s.organization_id = coalesce(k.organization_id, s.organization_id)
        and o.id = s.organization_id and o.suspended_at is null
        and m.user_id = u.id and m.organization_id = o.id and c.id = k.client_id and c.disabled_at is null
        and k.expires_at > ${at} and k.redirect_uri is not distinct from ${exchange.redirectUri}::text
        and k.code_challenge is not distinct from ${exchange.codeChallenge}::text
        and (k.code_challenge is not null or not c.require_pkce or k.redirect_uri is null)
        and (k.code_challenge is not null or k.nonce is not null or not c.require_nonce_or_pkce
             or k.redirect_uri is null)
        and k.scopes <@ (c.scopes || ${[...exchange.open.scopes]}::text[])
        and ${resourcesWithin(sql, sql`k.resources`, sql`(c.resources || ${[...exchange.open.resources]}::text[])`)}
        and ${resourcesWithin(sql, sql`${[...resources]}::text[]`, sql`k.resources`)}
        and not ${resourcesOverlap(sql, sql`k.resources`, exchange.excludedResources)}
        and (k.dpop_jkt is null or k.dpop_jkt = ${exchange.thumbprint}::text)
      for share of m for key share of c for share of u, s
    ),
    f as (
      insert into oauth_token_families (
        id, grant_id, client_id, user_id, organization_id, session_id, code_hash, scopes, resources, offline, subject,
        nonce, auth_method, identity_provider, aal, phishing_resistant, auth_time, refresh_jti, access_jti,
        access_expires_at, rotated_at, expires_at, ends_at, created_at, dpop_jkt, consented_data)
      select ${exchange.familyId}::uuid, grant_id, client_id, user_id, organization_id, session_id, code_hash, scopes,
             resources, offline, subject, nonce, auth_method, identity_provider, aal, phishing_resistant, auth_time,
             ${exchange.refreshJti}::uuid,
             ${exchange.accessJti}::uuid,
             least(${after(lifetimes.accessMs)}::timestamptz, ends_at, rules_end), ${at}::timestamptz,
             least(${after(lifetimes.refreshMs)}::timestamptz, ends_at), ends_at, ${at}::timestamptz, dpop_jkt,
             consented_data
      from granted where rules_end is not null
      returning *
    )
    select ${familyColumns(sql)}, exists (
             select 1 from oauth_token_families l
             where l.grant_id = f.grant_id and l.revoked_at is null and l.ends_at > ${at}
             offset ${OAUTH_FAMILIES_PER_GRANT_MAX - 1}
           ) as "isFull",
           c.organizations is not null and not f.organization_id = any (c.organizations) as "isExcluded"
    from f join oauth_clients c on c.id = f.client_id`;
  return row && { ...toFamily(row), isFull: row.isFull, isExcluded: row.isExcluded };
}

/** The family of an exchanged code. */
export interface ExchangedFamily extends TokenFamily {
  /** Whether the grant may have more live families than the maximum. */
  readonly isFull: boolean;
  /** Whether the client no longer serves the organization: the transaction of the exchange is rolled back. */
  readonly isExcluded: boolean;
}

/** CTE fragment: ends the oldest live families of the grant of a family beyond the maximum. */
export function endExcessFamilies(sql: Sql, familyId: string, at: Date): Fragment {
  return sql`
    update oauth_token_families set revoked_at = ${at}, revoked_reason = 'surplus'
    where id in (
      select l.id from oauth_token_families l join oauth_token_families f on f.grant_id = l.grant_id
      where f.id = ${familyId} and l.revoked_at is null and l.ends_at > ${at}
      order by l.created_at desc, l.id desc offset ${OAUTH_FAMILIES_PER_GRANT_MAX}
    ) and revoked_at is null
    returning id, access_expires_at`;
}

/** A condition on a family: the last access token may be valid, also for verifiers whose clock is behind. */
export function accessMayBeValid(sql: Sql, at: Date): Fragment {
  return sql`access_expires_at + interval '5 seconds' > ${at}::timestamptz`;
}

/**
 * CTE fragment: inserts the event of each family that the CTE `ended` returned and that has an access token to end. The
 * event stays until the access token has expired. Any further family ends with its row alone: an event would only fill
 * the log, which is bounded in the memory of each replica. Migration 0022 has an equal rule for families that a trigger
 * ends.
 */
export function logEndedFamilies(sql: Sql, ended: string, reason: string, at: Date): Fragment {
  return sql`
    insert into session_events (session_id, kind, reason, at, expires_at)
    select id, 'revoked', ${reason}, ${at}::timestamptz, access_expires_at + interval '5 seconds'
    from ${cte(sql, ended)} where ${accessMayBeValid(sql, at)}
    returning session_id, kind, reason, at, expires_at, xid`;
}

/** The family of an exchanged code, if there is one (RFC 6749, section 4.1.2). */
export async function findFamilyOfCode(
  sql: Sql,
  codeHash: Buffer,
  clientId: string,
): Promise<{ readonly id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from oauth_token_families where code_hash = ${codeHash} and client_id = ${clientId}`;
  return row;
}

export interface FamilyRotation {
  /** As in the refresh token. */
  readonly familyId: string;
  readonly clientId: string;
  readonly presentedJti: string;
  readonly refreshJti: string;
  readonly accessJti: string;
  readonly at: Date;
  readonly lifetimes: TokenLifetimes;
}

/**
 * Compares the presented `jti` with the current `jti` and replaces the row's value, in one statement, as
 * `rotateSession` does. Of parallel refreshes one succeeds: the rest wait for the row lock, then find a newer `jti`.
 */
export async function rotateFamily(sql: Sql, rotation: FamilyRotation): Promise<TokenFamily | undefined> {
  const { at, lifetimes } = rotation;
  const [row] = await sql<FamilyRow[]>`
    update oauth_token_families f
    set previous_refresh_jti = f.refresh_jti, refresh_jti = ${rotation.refreshJti},
        access_jti = ${rotation.accessJti}, rotated_at = ${at},
        access_expires_at =
          least(${new Date(at.getTime() + lifetimes.accessMs)}::timestamptz, f.ends_at, ${familyTokenEnd(sql, at)}),
        expires_at = least(${new Date(at.getTime() + lifetimes.refreshMs)}::timestamptz, f.ends_at)
    from users u, organizations o, members m, oauth_clients c
    where ${isNamedFamily(sql, rotation.familyId)} and f.client_id = ${rotation.clientId}
      and f.refresh_jti = ${rotation.presentedJti} and f.expires_at > ${at} and ${mayAct(sql, at)}
    returning ${familyColumns(sql)}`;
  return row && toFamily(row);
}

/** A condition on the tables `f`, `u`, `o`, `m` and `c`: what a family came of is still there. */
export function mayAct(sql: Sql, at: Date): Fragment {
  return sql`
    f.revoked_at is null and f.ends_at > ${at}
      and u.id = f.user_id and u.disabled_at is null and o.id = f.organization_id and o.suspended_at is null
      and m.user_id = f.user_id and m.organization_id = f.organization_id
      and c.id = f.client_id and c.disabled_at is null
      and (c.organizations is null or f.organization_id = any (c.organizations))
      and (f.offline or (
        select s.revoked_at is null and s.expires_at > ${at} from sessions s where s.id = f.session_id))
      and ${admitsFamily(sql, at)}`;
}

/** The present state of a family whose refresh token was not rotated. */
export interface FamilyState {
  readonly family: TokenFamily;
  readonly previousRefreshJti: string | null;
  readonly live: boolean;
}

/** Read after the rotation attempt, so the state includes the write of a concurrent refresh. */
export async function findFamilyState(
  sql: Sql,
  { familyId, clientId, at }: Pick<FamilyRotation, "familyId" | "clientId" | "at">,
): Promise<FamilyState | undefined> {
  const [row] = await sql<(FamilyRow & Pick<FamilyState, "previousRefreshJti" | "live">)[]>`
    select ${familyColumns(sql)}, f.previous_refresh_jti as "previousRefreshJti",
           exists (select 1 from users u, organizations o, members m, oauth_clients c where ${mayAct(sql, at)}) as live
    from oauth_token_families f where ${isNamedFamily(sql, familyId)} and f.client_id = ${clientId}`;
  if (!row) return undefined;
  const { previousRefreshJti, live, ...family } = row;
  return { family: toFamily(family), previousRefreshJti, live };
}

/** As `classifyRefresh` of sessions. */
export function classifyFamilyRefresh(
  state: FamilyState | undefined,
  presentedJti: string,
  at: number,
  repeatSeconds: number,
): "repeated" | "ended" | "reused" {
  if (!state?.live) return "ended";
  const { family, previousRefreshJti } = state;
  if (family.refreshJti === presentedJti || family.expiresAt <= at) return "ended";
  const recent = at - family.rotatedAt <= repeatSeconds * 1000;
  return recent && previousRefreshJti === presentedJti ? "repeated" : "reused";
}
