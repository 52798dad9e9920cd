/** What a user set up in a period, by kind: the list of a review after a reset of the password. */

import type { Fragment, Sql } from "../../database/database.ts";
import { clientLabel } from "../conditions/client-identity.ts";
import { configuredProviderName } from "../conditions/configured-provider-name.ts";
import { setUpByUserOrKeys } from "../conditions/made-by-keys.ts";
import { type SetUpPeriod, setUpWithin, trustSetUpAt } from "../conditions/set-up-period.ts";

export interface RecentCredential {
  readonly kind: RecentKind;
  /** A name, an address or the key of a provider; null: the kind alone identifies the item. */
  readonly name: string | null;
  readonly setUpAt: Date;
}

interface RecentQuery {
  readonly userId: string;
  readonly period: SetUpPeriod;
  /** The address of the reset, which is not listed. */
  readonly email: string;
  readonly at: Date;
}

const columnsOf = (sql: Sql) => ({ id: sql`id`, createdAt: sql`created_at` });

/** Each fragment returns the name and the time of the set-up. */
const SELECTIONS = {
  passkeys: (sql, { userId, period }) => sql`
    select name, created_at from passkeys
    where user_id = ${userId} and deleted_at is null and ${setUpWithin(sql, sql`created_at`, period)}`,
  identities: (sql, { userId, period }) => sql`
    select ${configuredProviderName(sql, sql`user_identities.provider`)}, created_at from user_identities
    where user_id = ${userId} and ${setUpWithin(sql, sql`created_at`, period)}`,
  company_accounts: (sql, { userId, period }) => sql`
    select c.name, i.created_at
    from sso_identities i join sso_connections c on c.id = i.connection_id
    where i.user_id = ${userId} and i.linked_by = 'user' and ${setUpWithin(sql, sql`i.created_at`, period)}`,
  address_changes: (sql, { userId, period, email }) => sql`
    select email, verified_at from user_emails
    where user_id = ${userId} and email <> ${email} and verified_at is not null
      and ${setUpWithin(sql, sql`verified_at`, period)}`,
  second_factor: (sql, { userId, period }) => sql`
    select null, confirmed_at from totp_factors
    where user_id = ${userId} and confirmed_at is not null and ${setUpWithin(sql, sql`confirmed_at`, period)}`,
  api_keys: (sql, { userId, period, at }) => sql`
    select a.name || ' (' || k.key_id || '…)', k.created_at
    from api_keys k join service_accounts a on a.id = k.service_account_id
    where k.created_by = ${userId} and k.revoked_at is null and k.expires_at > ${at}
      and ${setUpWithin(sql, sql`k.created_at`, period)}`,
  trusts: (sql, { userId, period }) => sql`
    select a.name || ' (' || t.name || ')', ${trustSetUpAt(sql)}
    from service_account_trusts t join service_accounts a on a.id = t.service_account_id
    where t.created_by = ${userId} and ${setUpWithin(sql, trustSetUpAt(sql), period)}`,
  webhooks: (sql, { userId, period }) => sql`
    select url, created_at from webhooks
    where created_by = ${userId} and service_account_id is null and enabled
      and ${setUpWithin(sql, sql`created_at`, period)}`,
  event_streams: (sql, { userId, period }) => sql`
    select coalesce(nullif(url, ''), stream_method), created_at from webhooks
    where created_by = ${userId} and stream_status <> 'disabled'
      and ${setUpByUserOrKeys(sql, columnsOf(sql), { userId, period, action: "signal_stream.created" })}`,
  oauth_grants: (sql, { userId, period }) => sql`
    select ${clientLabel(sql)} as name, g.created_at from oauth_grants g join oauth_clients c on c.id = g.client_id
    where g.user_id = ${userId} and ${setUpWithin(sql, sql`g.created_at`, period)}`,
  invitations: (sql, { userId, period, at }) => sql`
    select email, created_at from invitations
    where invited_by = ${userId} and accepted_at is null and revoked_at is null and expires_at > ${at}
      and ${setUpByUserOrKeys(sql, columnsOf(sql), { userId, period, action: "invitation.created" })}`,
  setup_links: (sql, { userId, period, at }) => sql`
    select o.name, l.created_at from sso_setup_links l join organizations o on o.id = l.organization_id
    where l.created_by = ${userId} and l.ended_at is null and l.expires_at > ${at}
      and ${setUpWithin(sql, sql`l.created_at`, period)}`,
} as const satisfies Readonly<Record<string, (sql: Sql, query: RecentQuery) => Fragment>>;

export type RecentKind = keyof typeof SELECTIONS;
export const RECENT_KINDS = Object.keys(SELECTIONS) as readonly RecentKind[];

/** At most `limit` items that the user set up in the period and that are still valid, newest first. */
export async function listRecentCredentials(
  sql: Sql,
  query: RecentQuery,
  limit: number,
): Promise<readonly RecentCredential[]> {
  const selections = RECENT_KINDS.map(
    (kind) => sql`select ${kind}::text as kind, item.* from (${SELECTIONS[kind](sql, query)})
      as item (name, set_up_at)`,
  );
  const all = selections.reduce((before, next) => sql`${before} union all ${next}`);
  return await sql<RecentCredential[]>`
    with recent as (${all})
    select kind, name, set_up_at as "setUpAt" from recent order by set_up_at desc, kind, name limit ${limit}`;
}
