/** Notices to the owners of failing webhooks, and of webhooks switched off by the service. */
import type { Sql } from "../../database/database.ts";

export interface NoticedWebhook {
  readonly id: string;
  /** Null: of the platform. */
  readonly organizationId: string | null;
  readonly url: string;
  /** Start of the failures, or time of switching off. */
  readonly since: Date;
  readonly reason: "failing" | "gone" | "backlog";
}

/**
 * Marks at most `limit` webhooks of each kind as noticed and returns the webhooks: failing since `failingBefore`
 * without a success, or switched off by the service. A webhook is returned once per cause, on one replica.
 */
export async function claimNotices(
  sql: Sql,
  { at, failingBefore, limit }: { readonly at: Date; readonly failingBefore: Date; readonly limit: number },
): Promise<NoticedWebhook[]> {
  return await sql<NoticedWebhook[]>`
    with failing as (
      update webhooks w set failure_noticed_at = ${at}
      where w.id in (
        select id from webhooks
        where service_account_id is null and enabled and failures > 0 and failing_since <= ${failingBefore}
          and failure_noticed_at is null
        order by failing_since limit ${limit} for update skip locked
      )
      returning w.id, w.organization_id, w.url, w.failing_since as since, 'failing' as reason
    ),
    disabled as (
      update webhooks w set disabled_noticed_at = ${at}
      where w.id in (
        select id from webhooks
        where service_account_id is null and not enabled and disabled_reason in ('gone', 'backlog')
          and disabled_noticed_at is null
        order by updated_at limit ${limit} for update skip locked
      )
      returning w.id, w.organization_id, w.url, w.updated_at as since, w.disabled_reason as reason
    )
    select n.id, n.organization_id as "organizationId", n.url, n.since, n.reason
    from (select * from failing union all select * from disabled) n
    left join organizations o on o.id = n.organization_id
    where o.suspended_at is null`;
}

/** An enabled webhook whose last deliveries failed. */
export interface FailingWebhook {
  readonly id: string;
  readonly url: string;
  /** Null: of the platform. */
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly failingSince: Date;
}

/** The failing webhooks, longest failing first: at most `limit`, and their number up to `countedMax`. */
export async function listFailingWebhooks(
  sql: Sql,
  { limit, countedMax }: { readonly limit: number; readonly countedMax: number },
): Promise<{ items: FailingWebhook[]; total: number }> {
  const rows = await sql<(FailingWebhook & { total: number })[]>`
    with failing as (
      select id, url, organization_id, failing_since from webhooks
      where failing_since is not null and enabled order by failing_since limit ${countedMax}
    )
    select count(*) over ()::int as total, f.id, f.url, f.organization_id as "organizationId",
           o.name as "organizationName", f.failing_since as "failingSince"
    from failing f left join organizations o on o.id = f.organization_id
    order by f.failing_since, f.id limit ${limit}`;
  return { items: rows, total: rows[0]?.total ?? 0 };
}
