import type { ClientFacts } from "../../base/client-facts.ts";
import type { Sql } from "../../base/database.ts";
import type { Deps } from "../../deps.ts";
import { type AuditAction, insertAudit } from "../../models/audit/audit.ts";
import { endFamily } from "../../models/oauth-grant/family-state.ts";
import { logEndedFamilies } from "../../models/oauth-grant/token-family.ts";
import { eventColumns, type SessionEvent, toEvent } from "../../models/session/revocation.ts";

export type EndFamiliesDeps = Pick<Deps, "clock" | "database" | "random" | "revocations">;

export interface FamilyEnd {
  readonly reason: "code_reuse" | "refresh_reuse" | "token_revoked";
  readonly action: Extract<
    AuditAction,
    "oauth.code.reuse_detected" | "oauth.refresh.reuse_detected" | "oauth.token.revoked"
  >;
  readonly client: ClientFacts;
}

/** Ends one token family, on every replica. Returns whether it was live. */
export async function endTokenFamily(deps: EndFamiliesDeps, familyId: string, end: FamilyEnd): Promise<boolean> {
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
  return events.length > 0;
}

/** The session events that a statement returned. */
export async function eventsOf(statement: ReturnType<Sql>): Promise<SessionEvent[]> {
  const rows = (await statement) as unknown as Parameters<typeof toEvent>[0][];
  return rows.map(toEvent);
}
