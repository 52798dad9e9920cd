/** The organizations that a user can join by a verified domain (docs/contract.md, section 34.3). */
import type { Fragment, Sql } from "../../database/database.ts";
import { heldStatuses } from "../conditions/held-domain-condition.ts";

export interface JoinableOrganization {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  /** Verified by the organization, of a controlled address of the user. */
  readonly domain: string;
  readonly email: string;
  /** `ask`: a member decides about a request. */
  readonly mode: "ask" | "join";
  /** The role of new members. */
  readonly role: "admin" | "member";
  /** Null: no request. */
  readonly request: "denied" | "open" | null;
}

export interface JoinQuestion {
  readonly userId: string;
  readonly at: Date;
  /** Removals before this time do not count. */
  readonly removedSince: Date;
  /** Keyed hashes of the controlled addresses of the user. */
  readonly addressHashes: readonly string[];
}

/**
 * An organization is joinable by a mailbox that the user controls, in a domain of the organization, unless the user is
 * a member, was removed under this account or another, or is deactivated by the directory of the organization: a
 * deactivated record of the account or of any verified address of the user. A vouched address proves no mailbox.
 */
function joinable(
  sql: Sql,
  { userId, addressHashes, at, removedSince }: JoinQuestion,
  organizationId: string | null,
): Fragment {
  return sql`
    select distinct on (o.id)
      o.id as "organizationId", o.name, o.slug, d.domain, e.email, j.mode, coalesce(s.default_role, 'member') as role,
      (
        select case when q.denied_at is null then 'open' else 'denied' end from domain_join_requests q
        where q.organization_id = o.id and q.user_id = u.id and q.expires_at > ${at}
      ) as request
    from users u
    join user_emails e
      on e.user_id = u.id and e.controlled_at is not null and not e.vouched
        and (e."primary" or e.verified_at is not null)
    join organization_domains d on d.domain = address_domain(e.email) and d.status in ${heldStatuses(sql)}
    join organizations o on o.id = d.organization_id and o.suspended_at is null
    join organization_policies p on p.organization_id = o.id
    cross join lateral (
      select (case when p.policies_at <= ${at} then p.settings else p.previous end) ->> 'domainJoin' as mode
    ) j
    left join sso_policies s on s.organization_id = o.id
    where u.id = ${userId} and u.disabled_at is null and j.mode in ('ask', 'join')
      and (${organizationId}::uuid is null or o.id = ${organizationId}::uuid)
      and not exists (select 1 from members m where m.organization_id = o.id and m.user_id = u.id)
      and not exists (
        select 1 from member_removals r
        where r.organization_id = o.id and r.removed_at > ${removedSince}
          and (r.user_id = u.id or r.address_hashes && ${[...addressHashes]}::text[])
      )
      and not exists (
        select 1 from directories y
        join user_emails k on k.user_id = u.id and (k."primary" or k.verified_at is not null)
        join directory_users r on r.directory_id = y.id and not r.active
          and (r.user_id = u.id or r.email_keys @> array[k.email]::text[] or r.user_name_key = k.email)
        where y.organization_id = o.id
      )
    order by o.id, e."primary" desc, e.email`;
}

export async function listJoinable(sql: Sql, question: JoinQuestion): Promise<JoinableOrganization[]> {
  return await sql<JoinableOrganization[]>`
    select * from (${joinable(sql, question, null)}) found order by name, "organizationId"`;
}

/** One joinable organization. Read again under `lockJoiner`, so that a removal or a lost domain counts. */
export async function findJoinable(
  sql: Sql,
  question: JoinQuestion,
  organizationId: string,
): Promise<JoinableOrganization | undefined> {
  const [row] = await sql<JoinableOrganization[]>`${joinable(sql, question, organizationId)}`;
  return row;
}

/** Locks the user, so that simultaneous decisions about one user wait; a removal locks the organization's owners. */
export async function lockJoiner(sql: Sql, userId: string): Promise<void> {
  await sql`select 1 from users where id = ${userId} for no key update`;
}
