/** Token families that the identity provider of an organization allows (docs/contract.md, section 23.18). */
import type { Sql } from "../../database/database.ts";
import { admitsAssertion, assertionTokenEnd } from "../conditions/organization-access.ts";
import { type AllowedGrant, allowGrant } from "./oauth-grant.ts";

export interface AssertionFamily extends Omit<AllowedGrant, "asked" | "byOrganization"> {
  readonly familyId: string;
  readonly organizationId: string;
  readonly connectionId: string;
  /** The hash of the assertion: an assertion has at most one family. */
  readonly assertionHash: Buffer;
  readonly subject: string;
  /** Random: the family has no session and no refresh token. */
  readonly unusedIds: readonly [sessionId: string, refreshJti: string];
  readonly accessJti: string;
  readonly authTime: Date;
  readonly expiresAt: Date;
}

/**
 * Inserts grant and family, in one statement, if user, membership, organization, identity, connection and client are
 * live, and the policies of the organization admit the family. The locks delay the end of each until the family exists,
 * and the end then ends the family.
 */
export async function insertAssertionFamily(sql: Sql, family: AssertionFamily): Promise<boolean> {
  const { at, expiresAt } = family;
  const [sessionId, refreshJti] = family.unusedIds;
  const rows = await sql`
    with live as (
      select u.id, least(${expiresAt}::timestamptz, ${assertionTokenEnd(sql, family.authTime, at)}) as ends_at
      from users u, organizations o, members m, oauth_clients c, sso_connections n, sso_identities i
      where u.id = ${family.userId} and u.disabled_at is null
        and o.id = ${family.organizationId} and o.suspended_at is null
        and m.user_id = u.id and m.organization_id = o.id and c.id = ${family.clientId} and c.disabled_at is null
        and n.id = ${family.connectionId} and n.status = 'active' and i.connection_id = n.id and i.user_id = u.id
        and ${admitsAssertion(sql, family.authTime, at)}
      for key share of m, c for share of u, n, i
    ),
    granted as (${allowGrant(sql, { ...family, asked: false, byOrganization: true }, sql`from live`)})
    insert into oauth_token_families (
      id, grant_id, client_id, user_id, organization_id, session_id, code_hash, scopes, resources, offline, subject,
      auth_method, aal, auth_time, refresh_jti, access_jti, access_expires_at, rotated_at, expires_at, ends_at,
      created_at, consented_data)
    select ${family.familyId}::uuid, granted.id, ${family.clientId}::uuid, ${family.userId}::uuid,
           ${family.organizationId}::uuid, ${sessionId}::uuid, ${family.assertionHash}::bytea,
           ${[...family.scopes]}::text[], ${[...family.resources]}::text[], true, ${family.subject}, 'sso', 'aal1',
           ${family.authTime}::timestamptz, ${refreshJti}::uuid, ${family.accessJti}::uuid,
           live.ends_at, ${at}::timestamptz, ${at}::timestamptz, live.ends_at, ${at}::timestamptz,
           ${[...family.data]}::text[]
    from granted, live
    on conflict (code_hash) do nothing
    returning 1`;
  return rows.length > 0;
}
