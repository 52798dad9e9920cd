/** Requests of members for an application, and the decisions of organizations (docs/contract.md, section 23.31). */

import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { DisplayedVersion } from "../../database/statement.ts";
import { type ClientIdentity, clientIdentity } from "../conditions/client-identity.ts";
import { isConsentCurrent } from "../conditions/current-consent.ts";

export type ApplicationStatus = "requested" | "approved" | "denied";

export interface ApplicationDecision {
  readonly client: ClientIdentity;
  readonly redirectUris: readonly string[];
  /** The time of the last change of the identity; null: no change. */
  readonly identityChangedAt: Date | null;
  /** An approval of an earlier identity of the client counts as a request. */
  readonly status: ApplicationStatus;
  /** Whether the client has changed since the approval. */
  readonly changed: boolean;
  /** Null: decided without a request, or the user was deleted. */
  readonly requestedBy: string | null;
  readonly requestedAt: Date | null;
  readonly decidedAt: Date | null;
}

interface Named {
  readonly organizationId: string;
  readonly clientId: string;
}

export async function findApplicationStatus(
  sql: Sql,
  { organizationId, clientId }: Named,
): Promise<ApplicationStatus | undefined> {
  const [row] = await sql<{ status: ApplicationStatus }[]>`
    select status from organization_applications
    where organization_id = ${organizationId} and client_id = ${clientId}`;
  return row?.status;
}

/** SQL condition on the alias `a`: the approval is for an earlier identity of the client (section 23.32). */
function isOutdated(sql: Sql): Fragment {
  return sql`(a.status = 'approved' and not ${isConsentCurrent(sql, sql`a.decided_at`, sql`a.client_id`)})`;
}

/** A page of requests, oldest first, or of decisions, newest first, and the total. */
export async function listApplicationDecisions(
  sql: Sql,
  { organizationId, isOpen }: { readonly organizationId: string; readonly isOpen: boolean },
  page: PageBounds,
): Promise<{ items: ApplicationDecision[]; total: number }> {
  const changed = isOutdated(sql);
  const order = isOpen ? sql`a.requested_at, c.id` : sql`a.decided_at desc nulls last, c.id`;
  const rows = await sql<(ApplicationDecision & { total: number })[]>`
    select count(*) over ()::int as total, ${clientIdentity(sql)} as client, c.redirect_uris as "redirectUris",
           c.consent_from as "identityChangedAt",
           case when ${changed} then 'requested' else a.status end as status, ${changed} as changed,
           coalesce(u.display_name, u.email) as "requestedBy", a.requested_at as "requestedAt",
           a.decided_at as "decidedAt"
    from organization_applications a
    join oauth_clients c on c.id = a.client_id
    left join users u on u.id = a.requested_by
    where a.organization_id = ${organizationId} and (a.status = 'requested' or ${changed}) = ${isOpen}
    order by ${order} limit ${page.limit} offset ${page.offset}`;
  return { items: rows, total: rows[0]?.total ?? 0 };
}

interface Requested extends Named {
  readonly userId: string;
  readonly at: Date;
}

/** CTE fragment: a request of a member, unless a request or decision exists, or `max` requests wait. */
export function insertApplicationRequest(sql: Sql, { organizationId, clientId, userId, at }: Requested, max: number) {
  return sql`
    insert into organization_applications (organization_id, client_id, status, requested_by, requested_at)
    select ${organizationId}::uuid, ${clientId}::uuid, 'requested', ${userId}::uuid, ${at}::timestamptz
    where (select count(*) from organization_applications
           where organization_id = ${organizationId} and status = 'requested') < ${max}
    on conflict (organization_id, client_id) do nothing
    returning client_id`;
}

/** SQL condition on the alias `c`: the client has the displayed identity. */
function hasIdentity(sql: Sql, displayed: DisplayedVersion | undefined): Fragment {
  if (displayed === undefined) return sql`true`;
  return displayed === "none"
    ? sql`c.consent_from is null`
    : sql`date_trunc('milliseconds', c.consent_from) = ${displayed}`;
}

/** Whether the client exists with the displayed identity. */
export async function isIdentityDisplayed(sql: Sql, clientId: string, displayed: DisplayedVersion): Promise<boolean> {
  const rows = await sql`select 1 from oauth_clients c where c.id = ${clientId} and ${hasIdentity(sql, displayed)}`;
  return rows.length > 0;
}

interface Decided extends Named {
  readonly status: "approved" | "denied";
  /** The version of the identity that the decision names; undefined: no comparison. */
  readonly displayed?: DisplayedVersion | undefined;
  readonly userId: string;
  readonly at: Date;
}

/** CTE fragment: one row if the decision changed. An unknown client and another identity have no row. */
export function decideApplication(
  sql: Sql,
  { organizationId, clientId, status, displayed, userId, at }: Decided,
): Fragment {
  return sql`
    insert into organization_applications as a (organization_id, client_id, status, decided_by, decided_at)
    select ${organizationId}::uuid, c.id, ${status}, ${userId}::uuid, ${at}::timestamptz
    from oauth_clients c where c.id = ${clientId} and ${hasIdentity(sql, displayed)}
    on conflict (organization_id, client_id) do update
      set status = excluded.status, decided_by = excluded.decided_by, decided_at = excluded.decided_at
      where a.status <> excluded.status or ${isOutdated(sql)}
    returning client_id`;
}

/** CTE fragment: withdraws an approval; one row if there was an approval. */
export function withdrawApproval(
  sql: Sql,
  { organizationId, clientId, userId, at }: Omit<Decided, "status">,
): Fragment {
  return sql`
    update organization_applications set status = 'denied', decided_by = ${userId}, decided_at = ${at}
    where organization_id = ${organizationId} and client_id = ${clientId} and status = 'approved'
    returning client_id`;
}
