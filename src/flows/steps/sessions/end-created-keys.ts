import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { cte } from "../../../database/statement.ts";
import type { SessionDeps } from "../../../deps.ts";
import { revokeKeysCreatedBy } from "../../../models/service-account/api-key.ts";
import { logRevocations, type SessionEvent } from "../../../models/session/revocation.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { type EndedItem, recordEach } from "../audit/record-ended-credentials.ts";
import { tokensDeadAt } from "./end-sessions.ts";
import { readEnded } from "./read-ended.ts";

type EndDeps = Pick<SessionDeps, "config">;

/**
 * Revokes the live keys that ended keys created, and what these created (docs/contract.md, section 35.6), in the
 * transaction that ended the keys. Every generation is a statement of its own: the creation of a key holds a lock of
 * its creator, so a key whose creation was under way is found by the next statement.
 */
export async function endKeysCreatedBy(
  deps: EndDeps,
  sql: Sql,
  creatorIds: readonly string[],
  at: Date,
): Promise<{ readonly items: readonly EndedItem[]; readonly events: readonly SessionEvent[] }> {
  const items: EndedItem[] = [];
  const events: SessionEvent[] = [];
  const revocation = { reason: "key_revoked", at, tokensDeadAt: tokensDeadAt(deps, at) } as const;
  let creators = creatorIds;
  while (creators.length > 0) {
    const revoked = revokeKeysCreatedBy(sql, creators, at);
    const ended = await readEnded(sql, revoked, logRevocations(sql, cte(sql, "ended"), revocation));
    items.push(...ended.items);
    events.push(...ended.events);
    creators = ended.items.map(({ id }) => id);
  }
  return { items, events };
}

/** As `endKeysCreatedBy`, with the records. Returns the events to announce after the commit. */
export async function endCreatedKeys(
  deps: EndDeps & Pick<SessionDeps, "random">,
  sql: Sql,
  creatorIds: readonly string[],
  { actor, client, at }: { readonly actor: Actor; readonly client: RequestContext; readonly at: Date },
): Promise<readonly SessionEvent[]> {
  const { items, events } = await endKeysCreatedBy(deps, sql, creatorIds, at);
  const entry = userAuditEvent(deps, actor, client, {
    action: "api_key.revoked",
    at,
    metadata: { reason: "creator_ended" },
  });
  await recordEach(deps, sql, { ...entry, resourceType: "api_key" }, items);
  return events;
}
