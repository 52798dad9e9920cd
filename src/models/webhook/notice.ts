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
