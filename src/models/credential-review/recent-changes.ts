/**
 * What a user changed in organizations in a period and remains at the end of a review: members sign in by connections
 * and domains, and an admitted person is a member with an own account.
 */
import type { Fragment, Sql } from "../../database/database.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";

export interface RecentChange {
  readonly kind: ChangeKind;
  readonly id: string;
  /** The connection, the domain, or the name or address of the member. */
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly setUpAt: Date;
}

interface ChangeQuery {
  readonly userId: string;
  readonly period: SetUpPeriod;
}

/** The id of the user, and of the keys that the user created in the period. */
function actors(sql: Sql, { userId, period }: ChangeQuery): Fragment {
  return sql`(
    select ${userId}::uuid as id
    union all
    select k.id from api_keys k where k.created_by = ${userId} and ${setUpWithin(sql, sql`k.created_at`, period)}
  )`;
}

/** Each fragment returns organization, id, name and the time of the change. */
const SELECTIONS = {
  connections: (sql, query) => sql`
    select c.organization_id, c.id, c.name, max(a.timestamp)
    from sso_connections c join audit_logs a on a.resource_id = c.id::text and a.actor_id = ${query.userId}
    where c.status = 'active' and ${query.userId} in (c.activated_by, c.claims_set_by)
      and a.action in ('sso.connection.activated', 'sso.connection.updated')
      and ${setUpWithin(sql, sql`a.timestamp`, query.period)}
    group by c.id`,
  domains: (sql, { userId, period }) => sql`
    select organization_id, id, domain, created_at from organization_domains
    where claimed_by = ${userId} and status <> 'lost' and ${setUpWithin(sql, sql`created_at`, period)}`,
  members: (sql, query) => sql`
    select given.organization_id, given.user_id, coalesce(u.display_name, u.email), max(given.at)
    from (
      select a.organization_id, coalesce(a.metadata ->> 'user_id', a.resource_id)::uuid, a.timestamp,
             a.action = 'domain_join.approved'
      from audit_logs a join ${actors(sql, query)} actor on actor.id = a.actor_id
      where a.action in ('domain_join.approved', 'group.member_added', 'member.provisioned', 'member.role_changed',
                         'member.roles_changed')
        and ${setUpWithin(sql, sql`a.timestamp`, query.period)}
      union all
      select i.organization_id, e.user_id, i.accepted_at, true
      from invitations i join user_emails e on e.email = i.email and e.verified_at is not null
      where i.invited_by = ${query.userId} and i.accepted_at is not null
        and ${setUpWithin(sql, sql`i.created_at`, query.period)}
    ) as given (organization_id, user_id, at, is_admitted)
    join members m on m.organization_id = given.organization_id and m.user_id = given.user_id
    join users u on u.id = m.user_id
    where u.id <> ${query.userId} and (given.is_admitted or m.role <> 'member' or exists (
      select 1 from member_roles h where h.organization_id = m.organization_id and h.user_id = m.user_id
    ))
    group by given.organization_id, given.user_id, u.id`,
} as const satisfies Readonly<Record<string, (sql: Sql, query: ChangeQuery) => Fragment>>;

export type ChangeKind = keyof typeof SELECTIONS;
const CHANGE_KINDS = Object.keys(SELECTIONS) as readonly ChangeKind[];

/** At most `limit` changes of each kind, newest first: many admitted members displace no connection. */
export async function listRecentChanges(sql: Sql, query: ChangeQuery, limit: number): Promise<readonly RecentChange[]> {
  const selections = CHANGE_KINDS.map(
    (kind) => sql`(
      select ${kind}::text as kind, item.* from (${SELECTIONS[kind](sql, query)})
        as item (organization_id, id, name, set_up_at)
      order by item.set_up_at desc, item.id limit ${limit}
    )`,
  );
  const all = selections.reduce((before, next) => sql`${before} union all ${next}`);
  return await sql<RecentChange[]>`
    with recent as (${all})
    select r.kind, r.id, r.name, r.organization_id as "organizationId", o.name as "organizationName",
           r.set_up_at as "setUpAt"
    from recent r join organizations o on o.id = r.organization_id order by r.set_up_at desc, r.kind, r.id`;
}
