import type { RequestContext } from "../../../base/request-context.ts";
import type { Deps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { endFamily } from "../../../models/oauth-grant/family-state.ts";
import { logEndedFamilies } from "../../../models/oauth-grant/token-family.ts";
import { eventColumns } from "../../../models/session/revocation.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { eventsOf } from "../../steps/tokens/token-family-events.ts";

export type EndFamiliesDeps = Pick<Deps, "clock" | "database" | "random"> & {
  readonly revocations: Pick<Deps["revocations"], "announce">;
};

export interface FamilyEnd {
  readonly reason: "code_reuse" | "refresh_reuse" | "token_revoked";
  readonly action: Extract<
    AuditAction,
    "oauth.code.reuse_detected" | "oauth.refresh.reuse_detected" | "oauth.token.revoked"
  >;
  readonly client: RequestContext;
}

/** Ends a live token family on every replica. */
export async function endTokenFamily(deps: EndFamiliesDeps, familyId: string, end: FamilyEnd): Promise<void> {
  const at = new Date(deps.clock.now());
  const events = await deps.database.run("oauth_family.end", async (sql) => {
    const audit = insertAudit(
      sql,
      {
        eventId: deps.random.uuid(),
        at,
        action: end.action,
        outcome: end.action === "oauth.token.revoked" ? "success" : "failure",
        organizationId: sql`ended.organization_id`,
        actorId: null,
        actorType: "system",
        resourceType: "oauth_token_family",
        resourceId: familyId,
        metadata: { reason: end.reason },
        client: end.client,
      },
      sql`from ended`,
    );
    return await eventsOf(
      sql`
        with ended as (${endFamily(sql, familyId, end.reason, at)}),
        events as (${logEndedFamilies(sql, "ended", end.reason, at)}),
        audit as (${audit})
        select ${eventColumns(sql)} from events e`,
    );
  });
  await deps.revocations.announce(events);
}
