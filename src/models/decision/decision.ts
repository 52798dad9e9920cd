import type { requestDecisions } from "../../../db/schema/request-decisions.ts";
import type { Counters, LimitState } from "../../base/problem.ts";
import type { Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { RowOf } from "../../database/row.ts";
import type { ClaimRecord } from "../../vocabulary/claim-mapping.ts";

type DecisionRow = RowOf<typeof requestDecisions>;

/**
 * How a request was decided (docs/decisions/0019). Never a header, a body, a query or a path: the route is a template,
 * and the rule is a text of this code base.
 */
export interface Decision
  extends Pick<
    DecisionRow,
    | "requestId"
    | "at"
    | "method"
    | "route"
    | "status"
    | "rule"
    | "bound"
    | "retryAfterSeconds"
    | "organizationId"
    | "traceId"
  > {
  /** Null where no endpoint was reached. */
  readonly operation: DecisionRow["operation"];
  /** Code of the problem; null for an accepted request. */
  readonly code: DecisionRow["code"];
  /** The limits that counted the request, with the state after the count. */
  readonly limits: readonly LimitState[];
  readonly counters: Counters;
  /** Id of the user or API key of the caller. */
  readonly userId: DecisionRow["userId"];
  /** The network that limits count (docs/contract.md, section 2.11). */
  readonly network: string;
  readonly durationMs: number;
  /** Outcomes of claim mappings, without values. */
  readonly claims: readonly ClaimRecord[];
}

/** A decision as a query returns the row. */
export interface RecordedDecision extends Omit<Decision, "network"> {
  /** Null in rows of releases that did not record the network of an unknown path. */
  readonly network: string | null;
  /** The kind of the caller `userId`; null without a caller, or after the caller was deleted. */
  readonly callerType: "user" | "api_key" | "trust" | null;
}

/**
 * Inserts a batch in one statement with one parameter: the text of the statement does not depend on the number of rows.
 */
export async function insertDecisions(sql: Sql, decisions: readonly Decision[]): Promise<void> {
  await sql`
    insert into request_decisions (request_id, at, method, route, operation, status, code, rule, bound, limits,
                                   counters, retry_after_seconds, user_id, organization_id, network, duration_ms,
                                   trace_id, claims)
    select "requestId", at, method, route, operation, status, code, rule, bound, limits, counters,
           "retryAfterSeconds", "userId", "organizationId", network, "durationMs", "traceId",
           nullif(claims, '[]'::jsonb)
    from jsonb_to_recordset(${json(sql, decisions)}) as d (
      "requestId" uuid, at timestamptz, method text, route text, operation text, status smallint, code text,
      rule text, bound text, limits jsonb, counters jsonb, "retryAfterSeconds" integer, "userId" uuid,
      "organizationId" uuid, network text, "durationMs" real, "traceId" text,
      claims jsonb
    )`;
}

/** Decisions about requests with this id, oldest first. No user and no API key share an id: both are UUIDs. */
export async function findDecisions(sql: Sql, requestId: string, limit: number): Promise<RecordedDecision[]> {
  return await sql<RecordedDecision[]>`
    select request_id as "requestId", at, method, route, operation, status, code, rule, bound, limits, counters,
           retry_after_seconds as "retryAfterSeconds", user_id as "userId", organization_id as "organizationId",
           network, duration_ms as "durationMs", trace_id as "traceId", coalesce(claims, '[]'::jsonb) as claims,
           case when exists (select from users where id = request_decisions.user_id) then 'user'
                when exists (select from api_keys where id = request_decisions.user_id) then 'api_key'
                when exists (select from service_account_trusts where id = request_decisions.user_id) then 'trust' end
             as "callerType"
    from request_decisions where request_id = ${requestId} order by id limit ${limit}`;
}

/** Deletes at most `batch` decisions of before `before`; returns how many. */
export async function deleteOldDecisions(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from request_decisions where id in (
      select id from request_decisions where at < ${before} order by id limit ${batch} for update skip locked
    )`;
  return deleted.count;
}

/**
 * Deletes at most `batch` decisions while there are more than `rows`; returns how many. Only networks above a fair
 * share lose decisions, the oldest first: the largest share at which the decisions of all networks, each cut to the
 * share, fit into `rows`.
 */
export async function deleteSurplusDecisions(sql: Sql, rows: number, batch: number): Promise<number> {
  const deleted = await sql`
    with counts as materialized (
      select coalesce(network, '') as network, count(*) as n from request_decisions group by 1
    ), sizes as (
      select n, count(*) as networks, n * count(*) as decisions from counts group by n
    ), cut as (
      select n, sum(decisions) over smaller + n * (sum(networks) over () - sum(networks) over smaller) as decisions
      from sizes window smaller as (order by n)
    ), bounds as materialized (
      select coalesce(max(n) filter (where decisions <= ${rows}::bigint), 0) as share,
             (select greatest(sum(n) - ${rows}::bigint, 0) from counts) as surplus
      from cut
    )
    delete from request_decisions where id in (
      select id from request_decisions
      where (select surplus from bounds) > 0
        and coalesce(network, '') in (select network from counts where n > (select share from bounds))
      order by id limit (select least(surplus, ${batch}::bigint) from bounds)
    )`;
  return deleted.count;
}

/** Deletes at most `batch` of the oldest decisions while there are more than `rows`, whatever their networks. */
export async function deleteOldestDecisions(sql: Sql, rows: number, batch: number): Promise<number> {
  const deleted = await sql`
    delete from request_decisions where id in (
      select id from request_decisions order by id
      limit (select least(greatest(count(*) - ${rows}::bigint, 0), ${batch}::bigint) from request_decisions)
    )`;
  return deleted.count;
}
