import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import { revokeKeysOfSetupLink } from "../../../models/service-account/api-key.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { recordEach } from "../audit/record-ended-credentials.ts";
import { readEndedKeys } from "./read-ended.ts";

/** Revokes the live keys of a set-up link that was not completed, with records. Returns the events to announce. */
export async function endKeysOfSetupLink(
  deps: Pick<SessionDeps, "config" | "random">,
  sql: Sql,
  linkId: string,
  { actor, client, at }: { readonly actor: Actor; readonly client: RequestContext; readonly at: Date },
): Promise<readonly SessionEvent[]> {
  const ended = await readEndedKeys(deps, sql, revokeKeysOfSetupLink(sql, linkId, at), at);
  const metadata = { reason: "setup_link_revoked" };
  const entry = userAuditEvent(deps, actor, client, { action: "api_key.revoked", at, metadata });
  await recordEach(deps, sql, { ...entry, resourceType: "api_key" }, ended.items);
  return ended.events;
}
