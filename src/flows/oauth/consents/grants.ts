import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Fragment, Sql } from "../../../database/database.ts";
import { type Listing, type Page, pageBounds } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import type { ClientIdentity } from "../../../models/conditions/client-identity.ts";
import { deleteCodesWithin, endFamiliesWithin, listGrantsWithin } from "../../../models/oauth-grant/bound-grant.ts";
import { endFamiliesOfGrant } from "../../../models/oauth-grant/family-state.ts";
import { deleteGrant, findClientOfGrant, type GrantItem, listGrants } from "../../../models/oauth-grant/oauth-grant.ts";
import { logEndedFamilies } from "../../../models/oauth-grant/token-family.ts";
import { type EventRow, eventColumns, type SessionEvent, toEvent } from "../../../models/session/revocation.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { EndFamiliesDeps } from "../clients/end-families.ts";

/** GET /v1/users/me/grants (docs/contract.md, section 23.11). */
export async function listOwnGrants(
  deps: Pick<Deps, "clock" | "reads">,
  { caller, page }: { readonly caller: SessionView; readonly page: Page },
): Promise<Listing<GrantItem>> {
  const at = new Date(deps.clock.now());
  const found = caller.organizationBound
    ? await deps.reads.run("oauth_grant.list_within", caller, (sql) =>
        listGrantsWithin(sql, caller, at, pageBounds(page)),
      )
    : await deps.reads.run("oauth_grant.list", caller, (sql) => listGrants(sql, caller.userId, pageBounds(page)));
  return { ...page, ...found };
}

/** The application of a grant, for the confirmation; undefined for an unknown grant. */
export async function findOwnGrant(
  deps: Pick<Deps, "database">,
  { caller, id }: { readonly caller: SessionView; readonly id: string },
): Promise<ClientIdentity | undefined> {
  return await deps.database.run("oauth_grant.find_client", (sql) => findClientOfGrant(sql, id, caller.userId));
}

/** A revoked grant with the event of one ended family, or without: the grant had no family to end. */
type RevokedGrantRow = { readonly clientId: string } & (EventRow | { readonly sessionId: null });

export interface RevokeGrantInput {
  readonly caller: SessionView;
  readonly id: string;
  readonly client: RequestContext;
}

/**
 * DELETE /v1/users/me/grants/:id (docs/contract.md, section 23.11): withdraws a consent and ends every token of the
 * grant, on every replica, in one statement. A bound session ends the tokens in its organization only.
 */
export async function revokeOwnGrant(
  deps: EndFamiliesDeps,
  { caller, id, client }: RevokeGrantInput,
): Promise<Result<void, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  const event = { action: "oauth.grant.revoked", at, resource: { type: "oauth_grant", id } } as const;
  const audit = userAuditEvent(deps, caller, client, event);
  const rows = await deps.database.run(
    "oauth_grant.revoke",
    (sql) => sql<RevokedGrantRow[]>`
      with ${caller.organizationBound ? endWithin(sql, caller, id, at) : endEverywhere(sql, caller, id, at)},
      events as (${logEndedFamilies(sql, "ended", "grant_revoked", at)}),
      audit as (${insertAudit(sql, { ...audit, metadataOfRow: clientOf(sql) }, sql`from revoked`)})
      select r.client_id as "clientId", ${eventColumns(sql)} from revoked r left join events e on true`,
  );
  if (rows.length === 0) return err(refusal("not_found", "There is no such grant."));
  const events: SessionEvent[] = rows.flatMap((row) => (row.sessionId === null ? [] : toEvent(row)));
  await deps.revocations.announce(events);
  return ok(undefined);
}

/** The CTEs `ended` (families) and `revoked` (at most one row: the grant). */
function endEverywhere(sql: Sql, { userId }: SessionView, id: string, at: Date): Fragment {
  return sql`
    ended as (${endFamiliesOfGrant(sql, id, userId, at)}),
    revoked as (${deleteGrant(sql, id, userId)})`;
}

/** These CTEs for a bound session: the grant stays, with the tokens and the consent of other organizations. */
function endWithin(sql: Sql, caller: SessionView, id: string, at: Date): Fragment {
  return sql`
    ended as (${endFamiliesWithin(sql, id, caller, at)}),
    codes as (${deleteCodesWithin(sql, id, caller)}),
    revoked as (select distinct client_id from ended)`;
}

function clientOf(sql: Sql): Fragment {
  return sql`jsonb_build_object('client_id', client_id)`;
}
