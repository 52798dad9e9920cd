/** What a person created in an organization and is still valid, by kind. */
import type { Fragment, Sql } from "../../database/database.ts";

export interface CreationScope {
  readonly organizationId: string;
  /** The person, who may have left the organization. */
  readonly userId: string;
  readonly at: Date;
}

/** As `CreationScope`, with the person as a value or a column. */
type CreationQuery = Omit<CreationScope, "userId"> & { readonly userId: string | Fragment };

interface CreationQueries {
  /** Returns id, name and time. */
  readonly find: (sql: Sql, query: CreationQuery) => Fragment;
  /** CTE fragment: ends the items; returns id and organization_id. Absent: members sign in by the items. */
  readonly end?: (sql: Sql, scope: CreationScope) => Fragment;
}

/** The host of an address: path and query may be a secret of the receiver. */
function hostOf(sql: Sql): Fragment {
  return sql`substring(url from '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#]+)')`;
}

export const CREATIONS = {
  api_keys: {
    find: (sql, { organizationId, userId, at }) => sql`
      select k.id, a.name || ' (' || k.key_id || '…)', k.created_at
      from api_keys k join service_accounts a on a.id = k.service_account_id
      where a.organization_id = ${organizationId} and k.created_by = ${userId} and k.revoked_at is null
        and k.expires_at > ${at}`,
    end: (sql, { organizationId, userId, at }) => sql`
      update api_keys k set revoked_at = ${at} from service_accounts a
      where a.id = k.service_account_id and a.organization_id = ${organizationId} and k.created_by = ${userId}
        and k.revoked_at is null and k.expires_at > ${at}
      returning k.id, a.organization_id`,
  },
  trusts: {
    find: (sql, { organizationId, userId }) => sql`
      select t.id, a.name || ' (' || t.name || ')', t.created_at
      from service_account_trusts t join service_accounts a on a.id = t.service_account_id
      where a.organization_id = ${organizationId} and t.created_by = ${userId}`,
    end: (sql, { organizationId, userId }) => sql`
      delete from service_account_trusts t using service_accounts a
      where a.id = t.service_account_id and a.organization_id = ${organizationId} and t.created_by = ${userId}
      returning t.id, a.organization_id`,
  },
  webhooks: {
    find: (sql, { organizationId, userId }) => sql`
      select id, ${hostOf(sql)}, created_at from webhooks
      where organization_id = ${organizationId} and created_by = ${userId} and service_account_id is null and enabled`,
    end: (sql, { organizationId, userId, at }) => sql`
      update webhooks set enabled = false, disabled_reason = null, updated_at = ${at}
      where organization_id = ${organizationId} and created_by = ${userId} and service_account_id is null and enabled
      returning id, organization_id`,
  },
  event_streams: {
    find: (sql, { organizationId, userId }) => sql`
      select id, coalesce(${hostOf(sql)}, stream_method), created_at from webhooks
      where organization_id = ${organizationId} and created_by = ${userId} and stream_status <> 'disabled'`,
    end: (sql, { organizationId, userId, at }) => sql`
      update webhooks
      set stream_status = 'disabled', stream_reason = null, failures = 0, paused_until = null, updated_at = ${at}
      where organization_id = ${organizationId} and created_by = ${userId} and stream_status <> 'disabled'
      returning id, organization_id`,
  },
  invitations: {
    find: (sql, { organizationId, userId, at }) => sql`
      select id, email, created_at from invitations
      where organization_id = ${organizationId} and invited_by = ${userId} and accepted_at is null
        and revoked_at is null and expires_at > ${at}`,
    end: (sql, { organizationId, userId, at }) => sql`
      update invitations set revoked_at = ${at}
      where organization_id = ${organizationId} and invited_by = ${userId} and accepted_at is null
        and revoked_at is null
      returning id, organization_id`,
  },
  setup_links: {
    find: (sql, { organizationId, userId, at }) => sql`
      select id, null, created_at from sso_setup_links
      where organization_id = ${organizationId} and created_by = ${userId} and ended_at is null
        and expires_at > ${at}`,
    end: (sql, { organizationId, userId, at }) => sql`
      update sso_setup_links set ended_at = ${at}, end_reason = 'revoked'
      where organization_id = ${organizationId} and created_by = ${userId} and ended_at is null
      returning id, organization_id`,
  },
  connections: {
    find: (sql, { organizationId, userId }) => sql`
      select id, name, created_at from sso_connections
      where organization_id = ${organizationId} and status = 'active'
        and (activated_by = ${userId} or (activated_by is null and created_by = ${userId}))`,
  },
  domains: {
    find: (sql, { organizationId, userId }) => sql`
      select id, domain, created_at from organization_domains
      where organization_id = ${organizationId} and claimed_by = ${userId} and status <> 'lost'`,
  },
} as const satisfies Readonly<Record<string, CreationQueries>>;

export type CreationKind = keyof typeof CREATIONS;
export const CREATION_KINDS = Object.keys(CREATIONS) as readonly CreationKind[];

export interface Creation {
  readonly kind: CreationKind;
  readonly id: string;
  /** Null: the kind alone identifies the item. */
  readonly name: string | null;
  readonly createdAt: Date;
}

/** At most `limit` items of the person in the organization, newest first. */
export async function listCreations(sql: Sql, scope: CreationScope, limit: number): Promise<readonly Creation[]> {
  const found = CREATION_KINDS.map((kind) => {
    const { find }: CreationQueries = CREATIONS[kind];
    return sql`select ${kind}::text as kind, item.* from (${find(sql, scope)}) as item (id, name, created_at)`;
  });
  const all = found.reduce((before, next) => sql`${before} union all ${next}`);
  return await sql<Creation[]>`
    with found as (${all})
    select kind, id::text, name, created_at as "createdAt" from found
    order by created_at desc, kind, id limit ${limit}`;
}

/** At most `limit` people among `userIds` with an item of any kind in the organization, by address. */
export async function listCreators(
  sql: Sql,
  userIds: readonly string[],
  { organizationId, at }: Omit<CreationScope, "userId">,
  limit: number,
): Promise<{ readonly userId: string; readonly name: string }[]> {
  const found = CREATION_KINDS.map((kind) => {
    const { find }: CreationQueries = CREATIONS[kind];
    return sql`exists (${find(sql, { organizationId, at, userId: sql`person.id` })})`;
  });
  const any = found.reduce((before, next) => sql`${before} or ${next}`);
  return await sql<{ userId: string; name: string }[]>`
    select person.id as "userId", coalesce(person.display_name, person.email) as name from users person
    where person.id = any(${[...userIds]}::uuid[]) and (${any}) order by person.email limit ${limit}`;
}

/** Whether a request ends the items of a kind; members sign in by the items of the other kinds. */
export function endsByRequest(kind: CreationKind): boolean {
  const { end }: CreationQueries = CREATIONS[kind];
  return end !== undefined;
}

/** The fragment that ends the items of a kind; undefined: the kind stays. */
export function endOfKind(sql: Sql, kind: CreationKind, scope: CreationScope): Fragment | undefined {
  const { end }: CreationQueries = CREATIONS[kind];
  return end?.(sql, scope);
}
