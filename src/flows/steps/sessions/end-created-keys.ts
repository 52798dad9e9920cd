/** What programs made ends with the key or trust of the program (docs/contract.md, section 35.6). */
import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";
import { revokeInvitationsBy } from "../../../models/invitation/invitation.ts";
import { deleteRegistrationTokensBy } from "../../../models/oauth-client/registration-token.ts";
import { revokeKeysCreatedBy } from "../../../models/service-account/api-key.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { endSetupLinksBy } from "../../../models/setup-link/setup-link.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { type EndedItem, recordEach } from "../audit/record-ended-credentials.ts";
import { endKeysOfSetupLink } from "./end-keys-of-setup-link.ts";
import { type EndedAccess, readEndedKeys, readEndedRows } from "./read-ended.ts";

type EndDeps = Pick<SessionDeps, "config" | "random">;

export interface EndOfCreator {
  readonly actor: Actor;
  readonly client: RequestContext;
  readonly at: Date;
}

/**
 * Ends what keys and trusts created, and what the created keys created, in the transaction that ended the creators:
 * keys, open invitations, set-up links and registration tokens, with a record each. Returns the keys, and the events
 * to announce after the commit. Every generation is a statement of its own: a creation holds a lock of its creator, so
 * a creation that was under way is found by the next statement.
 */
export async function endCreatedBy(
  deps: EndDeps,
  sql: Sql,
  creatorIds: readonly string[],
  end: EndOfCreator,
): Promise<EndedAccess> {
  const { at } = end;
  const items: EndedItem[] = [];
  const events: SessionEvent[] = [];
  let creators = creatorIds;
  while (creators.length > 0) {
    const ended = await readEndedKeys(deps, sql, revokeKeysCreatedBy(sql, creators, at), at);
    await record(deps, sql, end, { action: "api_key.revoked", resourceType: "api_key" }, ended.items);
    events.push(...ended.events, ...(await endGrantsBy(deps, sql, creators, end)));
    items.push(...ended.items.map((item) => ({ ...item, isRecorded: true }) as const));
    creators = ended.items.map(({ id }) => id);
  }
  return { items, events };
}

/** Texts that give access later: open invitations, set-up links with their keys, and registration tokens. */
async function endGrantsBy(deps: EndDeps, sql: Sql, creators: readonly string[], end: EndOfCreator) {
  const { at } = end;
  const invitations = await readEndedRows(sql, revokeInvitationsBy(sql, creators, at));
  await record(deps, sql, end, { action: "invitation.revoked", resourceType: "invitation" }, invitations);
  const links = await readEndedRows(sql, endSetupLinksBy(sql, creators, at));
  await record(deps, sql, end, { action: "sso.setup_link.revoked", resourceType: "setup_link" }, links);
  const tokens = await readEndedRows(sql, deleteRegistrationTokensBy(sql, creators));
  const ofTokens = { action: "oauth.registration_token.deleted", resourceType: "oauth_registration_token" } as const;
  await record(deps, sql, end, ofTokens, tokens);
  const events: SessionEvent[] = [];
  for (const { id } of links) events.push(...(await endKeysOfSetupLink(deps, sql, id, end)));
  return events;
}

async function record(
  deps: EndDeps,
  sql: Sql,
  { actor, client, at }: EndOfCreator,
  { action, resourceType }: Pick<AuditEntry, "action" | "resourceType">,
  items: readonly Pick<EndedItem, "id" | "organizationId">[],
): Promise<void> {
  const entry = userAuditEvent(deps, actor, client, { action, at, metadata: { reason: "creator_ended" } });
  await recordEach(deps, sql, { ...entry, resourceType }, items);
}
